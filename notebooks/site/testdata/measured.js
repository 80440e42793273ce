(() => {
	const canvas = document.createElement('canvas'), ink = canvas.getContext('2d', { willReadFrequently: true });
	canvas.width = canvas.height = 1;
	const over = (colours) => { ink.clearRect(0, 0, 1, 1); for (const c of colours) { ink.fillStyle = c; ink.fillRect(0, 0, 1, 1); } return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3); };
	const light = (rgb) => { const [r, g, b] = rgb.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const worst = { ratio: 99, text: '', texts: 0 };
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; (n = walk.nextNode());) {
		const e = n.parentElement;
		if (!n.textContent.trim() || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.closest('.hidden, textarea, script, noscript, .none')) continue;
		const grounds = [];
		let opacity = 1;
		for (let p = e; p; p = p.parentElement) { const s = getComputedStyle(p); grounds.unshift(s.backgroundColor); opacity *= +s.opacity; }
		const ground = over(grounds), solid = over([...grounds, getComputedStyle(e).color]);
		const text = solid.map((v, i) => v * opacity + ground[i] * (1 - opacity));
		const a = light(ground), c = light(text), ratio = (Math.max(a, c) + 0.05) / (Math.min(a, c) + 0.05);
		worst.texts++;
		if (ratio < worst.ratio) { worst.ratio = ratio; worst.text = n.textContent.trim().slice(0, 40) + ' (' + e.className + ')'; }
	}
	return worst;
})()

(() => {
	const out = [];
	if (document.documentElement.scrollWidth > innerWidth) out.push('the page is ' + document.documentElement.scrollWidth + ' wide');
	for (const e of document.querySelectorAll('header *, main *, nav *')) {
		if (!e.checkVisibility() || e.closest('.editor, .hidden') || !e.textContent.trim()) continue;
		const s = getComputedStyle(e), r = e.getBoundingClientRect();
		if (['hidden', 'clip'].includes(s.overflowX) && e.scrollWidth > e.clientWidth + 1) out.push(e.className + ' cuts ' + e.textContent.slice(0, 40));
		if (r.right > innerWidth + 1 && !e.closest('.scroll, .formula, nav')) out.push(e.tagName + ' ' + e.className + ' leaves the window at ' + Math.round(r.right));
	}
	return out.slice(0, 5);
})()

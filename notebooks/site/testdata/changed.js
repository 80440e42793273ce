(async (area) => {
	if (/^\s*:(bench|plot|promote|asm)\b/m.test(area.value)) return -1;
	const cell = area.closest('.cell'), old = cell.querySelector('.output');
	const began = performance.now(), idle = document.body.dataset.idle;
	area.value += ' ';
	area.dispatchEvent(new Event('input'));
	while (cell.querySelector('.output') === old) await new Promise((r) => setTimeout(r, 1));
	const took = performance.now() - began - 90;
	while (document.body.dataset.idle === idle) await new Promise((r) => setTimeout(r, 5)); // of the cells below
	return took;
})(document.querySelectorAll('.cell textarea')[%d])

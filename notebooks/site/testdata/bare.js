(() => {
	for (const e of document.querySelectorAll('.output_subarea style')) e.remove();
	for (const e of document.querySelectorAll('.output_subarea *')) for (const a of ['style', 'class', 'bgcolor', 'color']) e.removeAttribute(a);
	for (const e of document.querySelectorAll('.output_subarea img')) e.replaceWith('[' + e.alt + ']');
})()

(() => {
	const s = document.createElement('style');
	s.textContent = '#site { height: auto !important; overflow: visible !important; display: block !important } #header { display: none !important } body { overflow: visible !important; height: auto !important }' +
		'@media (prefers-color-scheme: dark) { html, body, #site, #notebook, #notebook-container, .output_area pre, .rendered_html { background: #181a1f !important; color: #d7dae0 !important; box-shadow: none !important } .input_area { background: #23262d !important } .CodeMirror, .CodeMirror pre, .cm-variable { color: #d7dae0 !important; background: transparent !important } .rendered_html code { background: #2b2f38 !important; color: inherit !important } .rendered_html table, .rendered_html td { color: inherit } .rendered_html table { color: #d7dae0 !important } .rendered_html tbody tr:nth-child(odd) { background: transparent } }';
	document.head.append(s);
})()

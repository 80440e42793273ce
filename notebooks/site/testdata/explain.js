(() => {
	const a = document.querySelector('textarea');
	a.setSelectionRange(a.value.length - 6, a.value.length - 6);
	a.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', shiftKey: true, bubbles: true, cancelable: true }))
})()

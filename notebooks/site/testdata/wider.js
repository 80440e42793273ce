[...document.querySelectorAll('.output_subarea')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.scrollWidth + ' > ' + e.clientWidth + ': ' + e.textContent.trim().slice(0, 60))

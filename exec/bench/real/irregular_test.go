package real

func smallIrregular() []Program {
	return []Program{
		programRowsPicked(20, 9, 33), programRowsAdded(20, 9, 33), programRowsCombined(5, 9, 33), programPaged(70, 2, 16),
		programExpertRows(70, 33, 40, 1), programPicked(100, 70), programScattered(70), programSelected(70),
		programSorted(256, 64), programArgsorted(256, 64), programTopmost(256, 64, 3), programCounted(70, 16), programNormBackward(5, 33),
	}
}

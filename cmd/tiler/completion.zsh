#compdef tiler
# Completion of tiler's commands for zsh: eval "$(tiler completion zsh)", after compinit
_tiler() {
	local line ending
	local -a found
	for line in ${(f)"$("${words[1]}" completion -for zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
		case $line in
		folders) _files -/ ;;
		files) _files ;;
		'files '*) ending=${line#files }; _files -g "*${ending// / *}" ;;
		*$'\t'*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
		*) found+=("${line//:/\\:}") ;;
		esac
	done
	(( $#found )) && _describe tiler found
}

if [ "$funcstack[1]" = _tiler ]; then
	_tiler "$@"
else
	compdef _tiler tiler
fi

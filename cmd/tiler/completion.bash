# Completion of tiler's commands for bash: eval "$(tiler completion bash)"
_tiler() {
	local cur=${COMP_WORDS[COMP_CWORD]} line
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		files|files\ *|folders)
			compopt -o filenames 2>/dev/null
			while IFS= read -r line; do COMPREPLY+=("$line"); done < <(_tiler_files "$line" "$cur")
			;;
		*) COMPREPLY+=("${line%%$'\t'*}") ;;
		esac
	done < <("${COMP_WORDS[0]}" completion -for bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

# _tiler_files KIND PREFIX prints folders and, unless KIND is folders, the files of its endings.
_tiler_files() {
	local name ending endings=${1#files}
	compgen -d -- "$2"
	[ "$1" = folders ] && return
	compgen -f -- "$2" | while IFS= read -r name; do
		[ -d "$name" ] && continue
		[ -z "$endings" ] && printf '%s\n' "$name"
		for ending in $endings; do
			[[ $name == *"$ending" ]] && printf '%s\n' "$name"
		done
	done
}

complete -F _tiler tiler

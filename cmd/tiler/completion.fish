# Completion of tiler's commands for fish: tiler completion fish > ~/.config/fish/completions/tiler.fish
function __tiler_complete
    set -l words (commandline -opc)
    set -l cur (commandline -ct)
    for line in ($words[1] completion -for fish -- $words[2..-1] "$cur" 2>/dev/null)
        switch $line
            case folders
                __fish_complete_directories "$cur" folder
            case files
                __fish_complete_path "$cur"
            case 'files *'
                for ending in (string split ' ' -- (string replace 'files ' '' -- $line))
                    __fish_complete_suffix "$cur" $ending
                end
            case '*'
                echo $line
        end
    end
end

complete -c tiler -f -a '(__tiler_complete)'

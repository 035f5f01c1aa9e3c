# Completion of the words of tare for fish. The program itself tells what may follow.

function __tare_offers
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # The value of --option=VALUE stands behind the sign.
    set -l option (string match -r -- '^--[^=]*=' $current)
    test -n "$option"; or set option ''
    set -l value (string replace -r -- '^--[^=]*=' '' $current)
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                printf '%s\n' $option(__fish_complete_path $value)
            case ':folders'
                printf '%s\n' $option(__fish_complete_directories $value)
            case ':open'
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c tare -f -a '(__tare_offers)'

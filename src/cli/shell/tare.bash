# Completion of the words of tare for bash 4.4 and later. The program itself tells what may follow;
# this finds the words, since readline also splits them at "=" and ":".

_tare() {
  local rest=${COMP_LINE:0:COMP_POINT} words=() token gap i
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    gap=${rest%%[![:space:]]*}
    rest=${rest#"$gap"}
    token=$rest
    ((i == COMP_CWORD)) || token=${COMP_WORDS[i]}
    rest=${rest#"$token"}
    if [[ -n $gap || $i -eq 0 ]]; then words+=("$token"); else words[-1]+=$token; fi
  done

  local current=${words[-1]} standing='' breaks='' break
  for break in '=' ':'; do
    [[ $COMP_WORDBREAKS != *"$break"* ]] || breaks+=$break
  done
  # What readline takes for an earlier word must not come back from here.
  [[ -z $breaks ]] || standing=${current%"${current##*[$breaks]}"}
  local value=${current#--*=} line

  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$value") ;;
      :folders) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$value") ;;
      :open) compopt -o nospace ;;
      *) line=${line%%$'\t'*}; COMPREPLY+=("${line#"$standing"}") ;;
    esac
  done < <("${1/#\~/$HOME}" __complete "${words[@]:1}" 2>/dev/null)
}

complete -F _tare tare

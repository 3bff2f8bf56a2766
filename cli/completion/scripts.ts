import { completionRequest, directive } from './protocol.js';

const { noSpace, noFiles } = directive;

/**
 * bash splits words at `=`, so they are joined for the program, and the part before the cursor's word is taken off the
 * answers. It needs no package `bash-completion`, and runs in the bash 3.2 of macOS.
 */
const bash = `# bash completion for reconstruct; load it with: source <(reconstruct completion bash)
_reconstruct() {
  local words=() index word line value directive=0 IFS=$'\\n'
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if ((index > 1)) && [[ "$word" == "=" || "\${COMP_WORDS[index - 1]}" == "=" ]]; then
      words[\${#words[@]} - 1]+="$word"
    else
      words[\${#words[@]}]="$word"
    fi
  done
  local current="\${COMP_WORDS[COMP_CWORD]}"
  [[ "$current" == "=" ]] && current=""
  local whole="\${words[\${#words[@]} - 1]}"
  local before="\${whole%"$current"}"
  COMPREPLY=()
  while read -r line; do
    value="\${line%%$'\\t'*}"
    if [[ "$line" == :* ]]; then directive="\${line#:}"; else COMPREPLY[\${#COMPREPLY[@]}]="\${value#"$before"}"; fi
  done < <("\${COMP_WORDS[0]}" ${completionRequest} "\${words[@]}" 2>/dev/null)
  if ((directive & ${noSpace})); then compopt -o nospace 2>/dev/null; fi
  if ((\${#COMPREPLY[@]} == 0 && (directive & ${noFiles}) == 0)); then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _reconstruct reconstruct
`;

const zsh = `#compdef reconstruct
# zsh completion for reconstruct; load it with: source <(reconstruct completion zsh)
_reconstruct() {
  local line directive=0
  local -a lines values space
  lines=("\${(@f)$("\${words[1]}" ${completionRequest} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    if [[ "$line" == :* ]]; then
      directive="\${line#:}"
    elif [[ -n "$line" ]]; then
      line="\${line//:/\\\\:}"
      values+=("\${line//$'\\t'/:}")
    fi
  done
  if ((directive & ${noSpace})); then space=(-S ''); fi
  if ((\${#values})); then
    _describe -t reconstruct completion values "\${space[@]}"
  elif (((directive & ${noFiles}) == 0)); then
    _files
  fi
}
if [[ "\${funcstack[1]}" == _reconstruct ]]; then _reconstruct "$@"; else compdef _reconstruct reconstruct; fi
`;

const fish = `# fish completion for reconstruct; load it with: reconstruct completion fish | source
function __reconstruct_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l directive 0
    set -l values
    for line in ($words[1] ${completionRequest} $words[2..] "$current" 2>/dev/null)
        if string match -q ':*' -- $line
            set directive (string sub -s 2 -- $line)
        else
            set -a values $line
        end
    end
    if test (count $values) -gt 0
        printf '%s\\n' $values
    else if test (math "floor($directive / ${noFiles}) % 2") -eq 0
        __fish_complete_path "$current"
    end
end
complete -c reconstruct -e
complete -c reconstruct -f -a '(__reconstruct_complete)'
`;

/** The scripts by their shells. */
export const scripts = { bash, zsh, fish } as const;

/** A shell with a script. */
export type Shell = keyof typeof scripts;

import{n as EolgateError}from"./errors.js";import{t as own}from"./own.js";import{t as COMMANDS}from"./commands.js";async function run({io,args}){const shell=args[0]??``;const script=own(SCRIPTS,shell);if(!script)throw new EolgateError(`usage`,{code:`unknown-shell`,message:`there is no completion for "${shell}"`,where:`shell`,hint:`Shells: bash, zsh, fish.`});await io.out(script());return 0}const firstWords=()=>[...new Set(COMMANDS.map(spec=>spec.name.split(` `)[0]??``))];const secondWords=group=>COMMANDS.filter(spec=>spec.name.startsWith(`${group} `)).map(spec=>spec.name.slice(group.length+1));const groups=()=>firstWords().filter(word=>secondWords(word).length>0);const longFlags=spec=>spec.flags.map(flag=>/--[a-z0-9-]+/.exec(flag.flags)?.[0]??``).filter(Boolean);const summaryOf=word=>(COMMANDS.find(spec=>spec.name===word)?.summary??`${secondWords(word).join(`, `)}`).replaceAll(`'`,`’`);function bash(){const cases=COMMANDS.map(spec=>`    "${spec.name}") words="${[...longFlags(spec),`--help`].join(` `)}" ;;`);const nested=groups().map(group=>`    ${group}) [ "$COMP_CWORD" -eq 2 ] && { COMPREPLY=($(compgen -W "${secondWords(group).join(` `)}" -- "$current")); return; }; [[ " ${secondWords(group).join(` `)} " == *" \${COMP_WORDS[2]} "* ]] && command="$command \${COMP_WORDS[2]}" ;;`);return`# bash completion of eolgate
_eolgate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${firstWords().join(` `)} --help --version" -- "$current"))
    return
  fi
  case "$command" in
${nested.join(`
`)}
  esac
  case "$command" in
${cases.join(`
`)}
  esac
  if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _eolgate eolgate
`}function zsh(){const commands=firstWords().map(word=>`    '${word}:${summaryOf(word)}'`);const cases=COMMANDS.filter(spec=>!spec.name.includes(` `)).map(spec=>`    ${spec.name}) _arguments ${[...longFlags(spec).map(flag=>`'${flag}[]'`),`'*:file:_files'`].join(` `)} ;;`);const nested=groups().map(group=>`    ${group}) _values '${group}' ${secondWords(group).join(` `)} ;;`);return`#compdef eolgate
_eolgate() {
  local -a commands
  commands=(
${commands.join(`
`)}
  )
  if (( CURRENT == 2 )); then _describe 'command' commands; return; fi
  case "$words[2]" in
${[...cases,...nested].join(`
`)}
  esac
}
_eolgate "$@"
`}function fish(){const lines=firstWords().map(word=>`complete -c eolgate -n __fish_use_subcommand -f -a ${word} -d '${summaryOf(word)}'`);const nested=groups().map(group=>`complete -c eolgate -n '__fish_seen_subcommand_from ${group}' -f -a '${secondWords(group).join(` `)}'`);const flags=COMMANDS.flatMap(spec=>longFlags(spec).map(flag=>`complete -c eolgate -n '__fish_seen_subcommand_from ${spec.name.split(` `).at(-1)}' -l ${flag.slice(2)}`));return`# fish completion of eolgate\n${[...lines,...nested,...flags].join(`
`)}\n`}const SCRIPTS={bash,zsh,fish};export{run};
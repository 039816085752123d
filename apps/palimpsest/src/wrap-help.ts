export const HELP_WIDTH = 80

export function wrapHelp(text: string): string {
  return joinParagraphs(text.split('\n')).flatMap(wrapLine).join('\n')
}

function joinParagraphs(lines: readonly string[]): string[] {
  const joined: string[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last !== undefined && /^\S.*[^.:]$/.test(last) && /^\S/.test(line))
      joined.push(`${joined.pop()} ${line}`)
    else joined.push(line)
  }
  return joined
}

function wrapLine(line: string): string[] {
  const isCommand = line.trimStart().startsWith('$ ')
  const indent = /^ */.exec(line)?.[0] ?? ''
  const end = isCommand ? ' \\' : ''
  const wrapped: string[] = []
  let rest = line
  while (rest.length > HELP_WIDTH) {
    const option = isCommand ? rest.lastIndexOf(' -', HELP_WIDTH - end.length) : -1
    const at = option > indent.length + 4 ? option : rest.lastIndexOf(' ', HELP_WIDTH - end.length)
    if (at <= indent.length) break
    wrapped.push(rest.slice(0, at) + end)
    rest = `${indent}${isCommand ? '    ' : ''}${rest.slice(at + 1)}`
  }
  return [...wrapped, rest]
}

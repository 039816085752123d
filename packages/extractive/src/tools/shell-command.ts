import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'
import type { FileOperation, FileTouch } from './file-touch.ts'
import { patchFiles } from './patch-files.ts'

const MAX_COMMAND_CHARS = 4096
const MAX_LABEL_CHARS = 110

/** A shell command as a person would name it, what it is the same as, and the files that it names. */
export interface ShellCommand {
  readonly label: string
  /** Equal for commands that do the same thing with their output cut or directed differently. */
  readonly key: string
  readonly files: readonly FileTouch[]
  /** True when a non-zero exit code is an answer and no failure, as for `grep` and `diff`. */
  readonly asks: boolean
}

/** Segments that only prepare: a directory, an option, the environment, a wait. */
const PREPARATION = /^(?:cd|pushd|popd|set|export|source|\.|sleep|clear|true|:)(?:\s|$)/
/** Filters that only cut the output or repeat it: the command is the same without them. */
const CUTTING = /^(?:tail|head|cat|less|more|tee|sort|column)(?:\s|$)/
const FILTER = /^(?:tail|head|cat|less|more|tee|sort|column|uniq|wc|grep|egrep|rg|sed|awk|cut|tr|jq)(?:\s|$)/
const ASKING =
  /^(?:grep|egrep|rg|ag|diff|cmp|test|\[|which|command -v|ls|find|git diff|git grep|pgrep|timeout \d+ grep)(?:\s|$)/
const READERS = /^(?:cat|head|tail|less|more|nl|bat|wc|sed -n|awk|xxd|stat|file)$/
const WRITERS = new Map<string, FileOperation>([
  ['rm', 'deleted'],
  ['unlink', 'deleted'],
  ['git rm', 'deleted'],
  ['touch', 'created'],
  ['sed -i', 'edited'],
  ['perl -i', 'edited'],
])

/** Analyses the first 4,096 characters of a command line. */
export function parseShellCommand(command: string): ShellCommand {
  const text = command.slice(0, MAX_COMMAND_CHARS)
  const heredoc = text.search(/<<-?\s*['"]?\w/)
  const line = heredoc === -1 ? text : text.slice(0, text.indexOf('\n', heredoc) + 1 || undefined)
  const segments = splitSegments(line)
  const said = segments.filter((segment) => !PREPARATION.test(segment.text))
  const main = said.filter((segment) => !(segment.piped && FILTER.test(segment.text)))
  const shown = said.filter((segment) => !(segment.piped && CUTTING.test(segment.text)))
  const patched = text.includes('*** Begin Patch') ? patchFiles(command) : []
  return {
    label: shorten(joined(shown.length > 0 ? shown : segments), MAX_LABEL_CHARS),
    key: joined(main.length > 0 ? main : segments),
    files: patched.length > 0 ? patched : said.flatMap((segment) => segmentFiles(segment.text)).slice(0, 20),
    asks: main.length > 0 && main.every((segment) => ASKING.test(segment.text)),
  }
}

function joined(segments: readonly Segment[]): string {
  let line = ''
  for (const { text, piped } of segments) {
    const part = withoutRedirects(text)
    if (part !== '') line += line === '' ? part : `${piped ? ' | ' : ' && '}${part}`
  }
  return oneLine(line)
}

interface Segment {
  readonly text: string
  readonly piped: boolean
}

/** Splits at `&&`, `||`, `;`, `|` and line breaks that are not inside quotes. */
function splitSegments(line: string): Segment[] {
  const segments: Segment[] = []
  let start = 0
  let piped = false
  let quote = ''
  const push = (end: number): void => {
    const text = line.slice(start, end).trim()
    if (text !== '' && !text.startsWith('#')) segments.push({ text, piped })
  }
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i)
    if (quote !== '') {
      if (char === '\\' && quote === '"') i++
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '\\') i++
    else if (char === ';' || char === '\n' || char === '|' || (char === '&' && line.charAt(i + 1) === '&')) {
      push(i)
      const double = line.charAt(i + 1) === char
      piped = char === '|' && !double
      if (double) i++
      start = i + 1
    }
  }
  push(line.length)
  return segments
}

function withoutRedirects(segment: string): string {
  return segment.replace(/\s*(?:\d?>&\d|[&\d]?>{1,2}\s*\/dev\/null|<<-?\s*['"]?\w+['"]?)/g, '').trim()
}

function segmentFiles(segment: string): FileTouch[] {
  const words =
    segment.match(/"[^"]*"|'[^']*'|[^\s"']+/g)?.map((word) => word.replace(/^["']|["']$/g, '')) ?? []
  const touches: FileTouch[] = []
  for (const [, path = ''] of segment.matchAll(/(?<![\d&<])>{1,2}\s*([^\s"'&|;<>]{1,300})/g))
    if (isPath(path)) touches.push({ path, operation: 'created' })
  const [first = '', second = ''] = words.slice(
    words.findIndex((word) => !/^(?:sudo|env|\w+=.*)$/.test(word)),
  )
  const paths = words.slice(1).filter(isPath)
  if (first === 'mv' || (first === 'git' && second === 'mv') || first === 'cp') {
    const target = paths.at(-1)
    if (first !== 'cp') for (const path of paths.slice(0, -1)) touches.push({ path, operation: 'deleted' })
    if (target !== undefined && paths.length > 1) touches.push({ path: target, operation: 'created' })
    return touches
  }
  const operation = WRITERS.get(first) ?? WRITERS.get(`${first} ${second.slice(0, 2)}`)
  const reads = READERS.test(first) || READERS.test(`${first} ${second}`)
  if (operation !== undefined) for (const path of paths) touches.push({ path, operation })
  else if (reads && touches.length === 0) for (const path of paths) touches.push({ path, operation: 'read' })
  return touches
}

function isPath(word: string): boolean {
  return (
    word.length > 2 &&
    word.length <= 300 &&
    !/^[-+>]|[*?$(){}|<>\\=`]|^\/dev\/|^\d/.test(word) &&
    /[/.]/.test(word) &&
    /[\p{L}\d]/u.test(word) &&
    !word.endsWith('/') &&
    !word.includes('://')
  )
}

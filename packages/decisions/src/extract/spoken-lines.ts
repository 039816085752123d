/** A stretch of a text. Offsets are UTF-16 units. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Characters of one message that are read: its beginning and its end. A longer one was not typed. */
const HEAD_CHARS = 48 * 1024
const TAIL_CHARS = 16 * 1024
/** Blocks without an end that are looked for, so that many of them cost no more than a few. */
const MAX_OPEN_TAGS = 50

/** Tags that only mark words inside of a sentence. */
const INLINE_TAG = /^(?:b|i|u|em|strong|code|kbd|a|span|br|sub|sup|mark|small)$/i
/** Tags of hosts: without an end they reach to the end of the message. */
const HOST_TAG =
  /^(?:system(?:-reminder|-message)?|local-command-\w+|command-\w+|task-notification|environment_context|user_instructions|tool_result|function_results?|instructions|context|attachment)$/i
const TAG = /<([a-z][\w:-]{0,60})(?:\s[^<>]{0,300})?>/gi

const FENCE = /^\s{0,8}(```+|~~~+)/
const QUOTED = /^\s{0,8}(?:>|\|)/
/** Prompts, stack frames, diffs, rulers, log levels, times: marks of output. */
const OUTPUT = new RegExp(
  String.raw`^\s*(?:${[
    String.raw`[$%➜❯»+|]\s`,
    String.raw`at (?:async )?\S+ \(|at \S+:\d|File "|\d+[:→|]`,
    '[-─━=_*#]{4}|[⠀-⣿]|[│├└╭╰┌]',
    String.raw`\[[\w:. -]{2,40}\]\s|\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|\w+@[\w-]+[:~]`,
    String.raw`(?:error|warn(?:ing)?|info|debug|trace|fatal|npm err!|traceback)\b\s?[:[!|]`,
    String.raw`[-+]{3} [ab/]|[+-](?:const|let|var|import|export|function|class|def|return)\s|[A-Z][\w ]{1,30}: {2,}\S`,
    String.raw`@@ |##\[|Node\.js v\d|npm (?:warn|notice)|\S{2,20}\s+\d{1,2}:\d\d(?::\d\d)?\s`,
  ].join('|')})`,
  'i',
)
/** "HTTP 404", and no "port 5180". */
const CAPITALS = /^\s*[A-Z]{4,8} \d/
/** Lines of JSON, of settings and of programs outside of a fence. */
const CODE =
  /^\s*(?:["'][^"'\n]{1,80}["']\s*:\s*\S|[\]})]+[;,]?\s*$|(?:const|let|var|import|export|function|class|def|return|public|private|static|async|from|#include|using|package|fn|func|struct|impl|SELECT|INSERT|CREATE TABLE)\s[^.!?]*[=({;'"<].*$|[\w$.]+\([^)]*\);?\s*$|.*(?:[;{]|\);|=>)\s*$(?<=[({=<].*))/
const SPEAKER =
  /^\s*(?:[-*]\s)?(?:[[(]?(?!\s)[\d:., /-]{4,24}(?:[ap]m)?[\])]?\s*)?[*_]{0,2}(?:user|human|assistant|ai|system|bot|chatgpt|gpt|claude|gemini|copilot|llm|model|customer|agent|tool|interviewer|developer|reviewer|speaker \w+)[*_]{0,2}\s?(?:\([^)]{1,30}\)\s?)?[:>]/i
const NAMED_SPEAKER =
  /^\s*(?:[[(]?(?!\s)[\d:., /-]{4,24}(?:[ap]m)?[\])]?\s*)?(?:@?\p{Lu}[\p{L}.]{1,14}(?: \p{Lu}[\p{L}.]{0,14})?)(?:\s?[([][^)\]]{1,20}[)\]]:\s+\S+|:\s+\S+\s+\S+\s+\S+)/u
/** `<nick> text`, as chats are exported. */
const NICK = /^\s*(?:\[?(?!\s)[\d:. ]{4,12}\]?\s*)?<[@+~]?[\w.-]{1,24}>\s+\S/
/** "Here is the log:": what follows is a text by others. */
const PASTE_LEAD =
  /\b(?:here(?:'?s| is| are)|this is|(?:i )?(?:found|got|copied|pasted)|see|look at|from|below(?: is)?|the following|following|says?|reads?|wrote|paste[ds]?|output|contents? of|(?:review|summari[sz]e|translate|proofread|read|fix|explain) (?:this|the|my|following)\b)\b.{0,80}\b(?:readme|docs?|documentation|article|post|blog|e-?mails?|mail|logs?|output|errors?|trace(?:back)?|transcript|diff|changelog|ticket|issue|response|page|tutorial|guide|snippet|code|conversation|thread|review|notes?|minutes|chat|message|comment|text|file|document|report|answer|proposal|paragraph|prompt|stack ?overflow|wiki)\b[^.?!]{0,60}:\s*$|^(?:\S+\s+){0,3}(?:readme|transcript|export|excerpt|log|logs|diff|changelog|newsletter|memo|channel|chat|thread|e-?mail|mail|ticket|article|quote|snippet|screenshot text|stack ?overflow|slack|teams|discord)(?:\s+\S+){0,2}:\s*$/i

/** The first line of a letter, and its last. */
const GREETING = /^\s*(?:hi|hello|hey|dear|good (?:morning|day|afternoon))\b[^.!?]{0,40},?\s*$/i
const SIGN_OFF =
  /^[ \t]*(?:(?:kind|best|warm) regards|regards|best|cheers|sincerely|many thanks|yours)\b.{0,20}$/gim
/** A line that says that what follows is one's own. */
const OWN_LEAD = /\b(?:we|i|let'?s|our|my|you|please|want|need|decisions?|decided|plan|rules?|stack)\b/i
const ITEM = /^\s*(?:[-*•+]|\(?\w{1,2}[.)])\s|^\s*$/

/**
 * The lines of a message that its author says: without fenced code, quoted lines, blocks in tags that a host inserts,
 * output, letters, pasted conversations, and what follows a lead such as "here is the log:". Linear.
 */
export function spokenLines(text: string): Stretch[] {
  const windows: Stretch[] =
    text.length <= HEAD_CHARS + TAIL_CHARS
      ? [{ start: 0, end: text.length }]
      : [
          { start: 0, end: HEAD_CHARS },
          { start: text.length - TAIL_CHARS, end: text.length },
        ]
  return windows.flatMap((window) => {
    const blocks = taggedBlocks(text.slice(window.start, window.end))
    return linesOf(text, window, blocks)
  })
}

function taggedBlocks(text: string): Stretch[] {
  const blocks: Stretch[] = []
  const open = new Set<string>()
  TAG.lastIndex = 0
  for (let match = TAG.exec(text); match !== null; match = TAG.exec(text)) {
    const [whole, name = ''] = match
    if (INLINE_TAG.test(name) || whole.endsWith('/>') || open.has(name) || open.size > MAX_OPEN_TAGS) continue
    const close = text.indexOf(`</${name}>`, match.index + whole.length)
    if (close === -1 && !HOST_TAG.test(name)) {
      open.add(name)
      continue
    }
    const end = close === -1 ? text.length : close + name.length + 3
    blocks.push({ start: match.index, end })
    TAG.lastIndex = end
  }
  return blocks
}

function linesOf(text: string, { start, end }: Stretch, blocks: readonly Stretch[]): Stretch[] {
  const lines: Stretch[] = []
  let fence = ''
  let skipping: 'no' | 'paragraph' | 'letter' | 'rest' = 'no'
  let block = 0
  /** The last line that says something, and whether a gap is below it. */
  let lead = ''
  let hasGap = false
  const letterEnd = [...text.slice(start, end).matchAll(SIGN_OFF)].at(-1)?.index ?? -1
  const named = countNamedSpeakers(text.slice(start, end)) > 1
  for (let from = start; from < end; ) {
    const newline = text.indexOf('\n', from)
    const to = newline === -1 || newline > end ? end : newline
    const line = text.slice(from, to)
    const mark = FENCE.exec(line)?.[1]?.slice(0, 3)
    if (mark !== undefined && (fence === '' || fence === mark)) fence = fence === '' ? mark : ''
    else if (fence === '') {
      if (line.trim() === '' && skipping === 'paragraph') skipping = 'no'
      if (skipping === 'no' && GREETING.test(line) && to < start + letterEnd) skipping = 'letter'
      if (skipping === 'letter' && line.search(SIGN_OFF) !== -1) skipping = 'paragraph'
      // "what the page says:", a gap, and then what it says.
      if (skipping === 'no' && hasGap && /:\s*$/.test(lead) && !OWN_LEAD.test(lead) && !ITEM.test(line))
        skipping = 'paragraph'
      if (skipping !== 'rest' && (SPEAKER.test(line) || (named && isNamed(line)))) skipping = 'paragraph'
      // A line directly below output is output too.
      if (skipping === 'no' && (isOutput(line) || isCode(line))) skipping = 'paragraph'
      const isListed =
        ASSIGNMENT.test(line) && (ASSIGNMENT.test(lead) || ASSIGNMENT.test(text.slice(to + 1, end)))
      const skipped = skipping !== 'no' || QUOTED.test(line) || isData(line) || isListed
      if (!skipped) {
        while ((blocks[block]?.end ?? Number.POSITIVE_INFINITY) + start <= from) block++
        lines.push(...outside(blocks, block, start, { start: from, end: to }))
      }
      if (skipping === 'no' && line.length < 300 && line.trimEnd().endsWith(':') && PASTE_LEAD.test(line))
        skipping = 'rest'
    }
    hasGap = line.trim() === ''
    if (!hasGap) lead = line
    from = to + 1
  }
  return lines
}

/** The parts of a line that lie in no block. */
function outside(blocks: readonly Stretch[], first: number, offset: number, line: Stretch): Stretch[] {
  const parts: Stretch[] = []
  let from = line.start
  for (let index = first; index < blocks.length && from < line.end; index++) {
    const block = blocks[index]
    if (block === undefined || block.start + offset >= line.end) break
    if (block.start + offset > from) parts.push({ start: from, end: block.start + offset })
    from = Math.max(from, block.end + offset)
  }
  if (from < line.end) parts.push({ start: from, end: line.end })
  return parts
}

function isNamed(line: string): boolean {
  return NAMED_SPEAKER.test(line) || NICK.test(line)
}

function countNamedSpeakers(text: string): number {
  let count = 0
  for (const line of text.split('\n', 400)) if (isNamed(line.slice(0, 200))) count++
  return count
}

/** A setting on a line of its own (`MAX_RETRIES=5`) is said; two of them below each other come from a file. */
const ASSIGNMENT = /^\s*(?:export )?[\w.-]{2,60} *= *\S/

function isOutput(line: string): boolean {
  return OUTPUT.test(line) || CAPITALS.test(line)
}

function isCode(line: string): boolean {
  return line.length < 400 && CODE.test(line)
}

/** Two values behind their keys without a space, a key below another one, JSON, columns of a report, or dots that lead to a number. */
const TABLE =
  /(?:[\w"'][:=]["']?[^\s:=/]\S{0,200}(?:[,;|&]|\s[\s,;|&]*)){2}|\S {2,}: |^ {2,}[\w.-]+: \S+$|\.{4,}|^\s*[{[]["'{[]|^[A-Z] \(\d+\) /

/** Tables, and long lines of which little is letters: minified code, numbers, encoded data. */
function isData(line: string): boolean {
  if (line.length > 4000 || TABLE.test(line)) return true
  if (line.length < 80) return false
  return line.replace(/[\p{L}\p{M}\s',.!?，。、]+/gu, '').length > line.length * 0.3
}

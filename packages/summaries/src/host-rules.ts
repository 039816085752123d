import { answeredCalls, type Message, messageText, readInstruction } from '@palimpsest/core'
import { oneLine } from './text.ts'
import { fileTouches } from './tools/file-touches.ts'
import { resultStatus } from './tools/tool-outcome.ts'

/** Files in which a project says how agents work in it. */
const RULES_FILE =
  /(?:^|\/)(?:agents|claude|gemini|copilot-instructions|conventions)\.md$|(?:^|\/)\.(?:cursor|windsurf|cline)rules$/i
/** The number that tools put before a line. */
const LINE_NUMBER = /^\s{0,8}\d{1,6}(?:→|\t|: ?|\| ?)/
/** Lines of a long file that say what to do: the items of its lists, and lines with words of duty. */
const DUTY = /^\s*(?:[-*•]|\d{1,3}[.)])\s|\b(?:always|never|must|not|only|no)\b/i
/** A longer file is cut to the lines that say what to do; in characters. */
const WHOLE = 4_000

/** Where instructions are listed that came within the conversation. */
const INSTRUCTIONS = 'Instructions of the host'

/**
 * The lines of each file of rules that a tool read, by its path, as it was read last; and instructions that came within the
 * conversation.
 */
export type HostRules = ReadonlyMap<string, readonly string[]>

export function hostRules(messages: readonly Message[], before: HostRules = new Map()): HostRules {
  const rules = new Map(before)
  for (const [result, call] of answeredCalls(messages)) {
    const touches = fileTouches(call)
    const [touch] = touches
    if (touches.length !== 1 || touch?.operation !== 'read' || !RULES_FILE.test(touch.path)) continue
    if (resultStatus(result, call) === 'failed') continue
    const lines = linesOf(messageText(result))
    if (lines.length > 0) rules.set(touch.path, lines)
  }
  const said = messages.flatMap((message) => linesOf(readInstruction(message) ?? ''))
  return said.length === 0 ? rules : joinHostRules([rules, new Map([[INSTRUCTIONS, said]])])
}

/** Later readings of a file take the place of earlier ones; instructions are added. */
export function joinHostRules(parts: readonly HostRules[]): HostRules {
  const joined = new Map(parts.flatMap((part) => [...part]))
  const said = parts.flatMap((part) => part.get(INSTRUCTIONS) ?? [])
  if (said.length > 0) joined.set(INSTRUCTIONS, [...new Set(said)])
  return joined
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => {
    const plain = line.replace(LINE_NUMBER, '')
    // A heading of the file must not become one of the summary.
    const said = oneLine(plain.replace(/^\s*#+ (.*)$/, '$1:'))
    return said === '' ? [] : [said]
  })
  return text.length <= WHOLE ? lines : lines.filter((line) => DUTY.test(line))
}

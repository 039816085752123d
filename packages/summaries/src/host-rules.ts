import { answeredCalls, type Message, messageText, readInstruction } from '@palimpsest/core'
import { oneLine } from './text.ts'
import { fileTouches } from './tools/file-touches.ts'
import { resultStatus } from './tools/tool-outcome.ts'

const RULES_FILE =
  /(?:^|\/)(?:agents|claude|gemini|copilot-instructions|conventions)\.md$|(?:^|\/)\.(?:cursor|windsurf|cline)rules$/i
const LINE_NUMBER = /^\s{0,8}\d{1,6}(?:→|\t|: ?|\| ?)/
/** Lines of a long file that give instructions: list items, and lines with words such as "must". */
const DUTY = /^\s*(?:[-*•]|\d{1,3}[.)])\s|\b(?:always|never|must|not|only|no)\b/i
/** Longer files are reduced to the lines that give instructions; in characters. */
const WHOLE = 4_000

const INSTRUCTIONS = 'Instructions of the host'

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
  const said = messages.flatMap((message) => {
    const instruction = readInstruction(message)
    return instruction === undefined ? [] : linesOf(instruction)
  })
  return said.length === 0 ? rules : joinHostRules([rules, new Map([[INSTRUCTIONS, said]])])
}

export function joinHostRules(parts: readonly HostRules[]): HostRules {
  const joined = new Map(parts.flatMap((part) => [...part]))
  const said = parts.flatMap((part) => part.get(INSTRUCTIONS) ?? [])
  if (said.length > 0) joined.set(INSTRUCTIONS, [...new Set(said)])
  return joined
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => {
    const plain = line.replace(LINE_NUMBER, '')
    const said = oneLine(plain.replace(/^\s*#+ (.*)$/, '$1:'))
    return said === '' ? [] : [said]
  })
  return text.length <= WHOLE ? lines : lines.filter((line) => DUTY.test(line))
}

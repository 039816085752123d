import { type Message, messageText, toolCallInput, toolCallsOf } from '@palimpsest/core'

/** Scripts with spaces between words: a name in a Chinese sentence is a word without spaces around it. */
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}_]`
const ENDS_IN_LETTER = new RegExp(`${LETTER}$`, 'u')
const BEGINS_WITH_LETTER = new RegExp(`^${LETTER}`, 'u')

function isWhole(text: string, start: number, end: number): boolean {
  return (
    !ENDS_IN_LETTER.test(text.slice(Math.max(0, start - 2), start)) &&
    !BEGINS_WITH_LETTER.test(text.slice(end, end + 2))
  )
}

export function indexOfName(text: string, name: string): number {
  let at = text.indexOf(name)
  while (at >= 0 && !isWhole(text, at, at + name.length)) at = text.indexOf(name, at + 1)
  return at
}

function passedIn(message: Message): string {
  return toolCallsOf(message)
    .flatMap((call) => leavesOf(parsed(toolCallInput(call))))
    .join('\n')
}

export function textOf(message: Message): string {
  const [said, passed] = [messageText(message), passedIn(message)]
  return said === '' || passed === '' ? said + passed : `${said}\n${passed}`
}

function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return value === null || value === undefined ? [] : [String(value)]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import { type Message, messageText, toolCallInput, toolCallsOf } from '@palimpsest/core'

export function passedIn(message: Message): string {
  return toolCallsOf(message)
    .flatMap((call) => leavesOf(parsed(toolCallInput(call))))
    .join('\n')
}

export function textOf(message: Message): string {
  const [said, passed] = [messageText(message), passedIn(message)]
  return said === '' || passed === '' ? said + passed : `${said}\n${passed}`
}

export function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return value === null || value === undefined ? [] : [String(value)]
}

/** JSON's value, or the text itself: a custom tool takes free text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

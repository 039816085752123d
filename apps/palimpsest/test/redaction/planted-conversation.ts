import type { Message } from '@palimpsest/core'
import {
  CARRIERS,
  type PlantedSecret,
  plantedSecrets,
  tellingParts,
} from '../../../../packages/core/test/redaction/planted-secrets.ts'

const SEED = 20_260_302

/** Secrets of all kinds. */
export const PLANTED: readonly PlantedSecret[] = plantedSecrets(512, SEED)

const ARGUMENTS = ['an argument', 'a nested argument', 'JSON in an argument', 'JSON in JSON in an argument']

const carry = (name: string, { text }: PlantedSecret): string => (CARRIERS[name] ?? String)(text)

/** A conversation with a secret in each message: in what was said, in arguments of calls, in results. */
export function plantedConversation(): Message[] {
  return PLANTED.map((planted, index): Message => {
    const turn = Math.floor(index / 4)
    const id = `call_${turn}`
    switch (index % 4) {
      case 0:
        return {
          role: 'user',
          content: `We use PostgreSQL ${turn} for the reports of week ${turn}. ${carry('a text', planted)}`,
        }
      case 1: {
        const written = carry(ARGUMENTS[turn % ARGUMENTS.length] ?? '', planted)
        const call = { id, type: 'function' as const, function: { name: 'run', arguments: written } }
        return { role: 'assistant', content: null, tool_calls: [call] }
      }
      case 2:
        return { role: 'tool', tool_call_id: id, content: carry('a line of a log', planted) }
      default:
        return {
          role: 'assistant',
          content: `I found it at https://example.test/${turn}: ${planted.text}\nShall I go on?`,
        }
    }
  })
}

/** The secrets that a text shows, with the place where it does. */
export function shownSecrets(text: string): string[] {
  return PLANTED.flatMap(({ kind, secret }) => {
    const part = tellingParts(secret).find((one) => text.includes(one))
    if (part === undefined) return []
    const at = text.indexOf(part)
    return [`${kind}: ${text.slice(Math.max(0, at - 80), at + 80)}`]
  })
}

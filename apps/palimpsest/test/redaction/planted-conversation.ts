import type { Message } from '@palimpsest/core'
import {
  CARRIERS,
  meant,
  type PlantedSecret,
  plantedSecrets,
  tellingParts,
} from '../../../../packages/core/test/redaction/planted-secrets.ts'

const SEED = 20_260_302

/** Secrets of all kinds. */
export const PLANTED: readonly PlantedSecret[] = plantedSecrets(396, SEED)

const ALL = Object.keys(CARRIERS)
const ARGUMENTS = ALL.filter((name) => name.includes('argument'))
/** What people and tools write: a text may hold arguments of a call as well. */
const carry = (names: readonly string[], turn: number, { text }: PlantedSecret): string =>
  (CARRIERS[names[turn % names.length] ?? ''] ?? String)(text)

/** A conversation with a secret in each message: in what was said, in arguments of calls, in results; in every carrier. */
export function plantedConversation(): Message[] {
  return PLANTED.map((planted, index): Message => {
    const turn = Math.floor(index / 4)
    const id = `call_${turn}`
    switch (index % 4) {
      case 0:
        return {
          role: 'user',
          content: `We use PostgreSQL ${turn} for the reports of week ${turn}.\n${carry(ALL, turn, planted)}`,
        }
      case 1: {
        const written = carry(ARGUMENTS, turn, planted)
        const call = { id, type: 'function' as const, function: { name: 'run', arguments: written } }
        return { role: 'assistant', content: null, tool_calls: [call] }
      }
      case 2:
        return { role: 'tool', tool_call_id: id, content: carry(ALL, turn + 5, planted) }
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
  const read = `${text}\n${meant(text)}`
  return PLANTED.flatMap(({ kind, secret }) => {
    const part = tellingParts(secret).find((one) => read.includes(one))
    if (part === undefined) return []
    const at = read.indexOf(part)
    return [`${kind}: ${read.slice(Math.max(0, at - 80), at + 80)}`]
  })
}

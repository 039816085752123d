import type { Message } from '@palimpsest/core'
import { insertAtWord } from '../workload/conversation.ts'
import { createNeedles, type Needle } from '../workload/needles.ts'
import { createRandom, type Random } from '../workload/random.ts'

/** A fact with the place where it stands. */
export interface PlantedNeedle extends Needle {
  /** Index of the message that holds it. */
  readonly message: number
}

/** Facts of a dialogue: half of them in users' messages, half inside of tool results. */
const NEEDLES = 16
/** They stand in the first part of a dialogue, and are asked for at its end. */
const PLANTED_UNTIL = 0.75

/**
 * Puts facts into a conversation, evenly spread: behind what a user says, and between two words of tool results. Questions stay
 * as they are. A generator of its own keeps the conversation around them the same.
 */
export function plantNeedles(
  messages: readonly Message[],
  { seed, questions }: { readonly seed: number; readonly questions: ReadonlySet<number> },
): { readonly messages: Message[]; readonly needles: PlantedNeedle[] } {
  const random = createRandom(seed ^ 0x4ee_d1e)
  const all = createNeedles(random, NEEDLES)
  const planted = [...messages]
  const needles = (['user', 'tool'] as const).flatMap((where) => {
    const places = messages
      .slice(0, messages.length * PLANTED_UNTIL)
      .flatMap(({ role }, index) => (role === where && !questions.has(index) ? [index] : []))
    const mine = all.filter((needle) => needle.where === where)
    return mine.map((needle, index): PlantedNeedle => {
      const share = places.length / mine.length
      const message = places[Math.floor(index * share + random.next() * share)] ?? 0
      const host = planted[message]
      if (host !== undefined) planted[message] = insert(host, needle, random)
      return { ...needle, message }
    })
  })
  return { messages: planted, needles: needles.sort((a, b) => a.message - b.message) }
}

function insert(message: Message, { where, sentence }: Needle, random: Random): Message {
  if (message.role !== 'user' && message.role !== 'tool') return message
  const text = typeof message.content === 'string' ? message.content : ''
  const content = where === 'tool' ? insertAtWord(text, sentence, random) : said(text, sentence)
  return { ...message, content }
}

/** The last thing that a user says, in front of what is pasted below it. */
function said(text: string, sentence: string): string {
  const paste = text.indexOf('\n\n```')
  return paste === -1 ? `${text} ${sentence}` : `${text.slice(0, paste)} ${sentence}${text.slice(paste)}`
}

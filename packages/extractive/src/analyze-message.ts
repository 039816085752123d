import { type Message, messageText, toolCallsOf } from '@palimpsest/core'
import { digestAssistant } from './digest-assistant.ts'
import { digestUser } from './digest-user.ts'
import { extractFacts } from './facts/extract-facts.ts'
import type { Fact } from './facts/fact.ts'
import { labelledFacts } from './facts/labelled-facts.ts'
import { extractIdentifiers } from './identifiers/extract-identifiers.ts'
import { toMentions } from './identifiers/mentions.ts'
import type { MessageDigest } from './message-digest.ts'
import { proseOf } from './text/prose.ts'
import { type CallDigest, digestCall } from './tools/digest-call.ts'
import { digestOutcome } from './tools/tool-outcome.ts'

const digests = new WeakMap<object, MessageDigest>()

const NOTHING: MessageDigest = { role: 'system', calls: [], facts: [], mentions: toMentions([], 'output') }

/**
 * The digest of a message, computed once in the life of the message object. Linear in the length of its text,
 * of which at most 512 Ki characters are looked at. Call it when a message comes in, and a later summary only
 * merges digests. Never throws: a message of a wrong type gives an empty digest.
 */
export function analyzeMessage(message: Message): MessageDigest {
  if (typeof message !== 'object' || message === null) return NOTHING
  const known = digests.get(message)
  if (known !== undefined) return known
  const digest = digestMessage(message)
  digests.set(message, digest)
  return digest
}

function digestMessage(message: Message): MessageDigest {
  const text = messageText(message)
  switch (message.role) {
    case 'user': {
      const prose = proseOf(text)
      return { ...said(text, prose, 'user'), user: digestUser(prose) }
    }
    case 'assistant': {
      const prose = proseOf(text)
      const calls: CallDigest[] = []
      const texts = [text]
      for (const call of toolCallsOf(message)) {
        if (typeof call !== 'object' || call === null) continue
        const digested = digestCall(call)
        calls.push(digested.digest)
        texts.push(...digested.texts)
      }
      return { ...said(texts.join('\n'), prose, 'assistant'), assistant: digestAssistant(prose), calls }
    }
    case 'tool':
      return {
        role: 'tool',
        calls: [],
        outcome: digestOutcome(message, text),
        facts: extractFacts(text, false),
        mentions: toMentions(extractIdentifiers(text), 'output'),
      }
    default:
      return NOTHING
  }
}

/** A user who says more than this, in characters, has pasted it. */
const MAX_OWN_WORDS = 4_000

function said(text: string, prose: string, role: 'user' | 'assistant'): MessageDigest {
  const facts: Fact[] = [...extractFacts(prose, true), ...labelledFacts(prose)]
  const source = role === 'user' && text.length <= MAX_OWN_WORDS ? 'user' : 'assistant'
  return { role, calls: [], facts, mentions: toMentions(extractIdentifiers(text), source) }
}

import { messageText } from '@palimpsest/core'
import type { Reply } from './mock-upstream.ts'
import type { UpstreamBody } from './sequence-fault.ts'

/** What was said in turn 3: one as a fact to note, one in passing. */
const FACTS = [/archive bucket is (\w+-\w+-\d+)/, /beside a (\w+) lantern/]
const ASKED = ['archive bucket', 'lantern']
export const NOTE = ' Note for later: our archive bucket is lumen-vault-73.'
export const READ_FILE = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
} as const

/** Says what a model could that knows nothing but the request: it looks for the fact, and asks for what is not there. */
export function answerFromPrompt({ messages, tools = [] }: UpstreamBody): Reply {
  const last = messages.at(-1)
  const question = messages.findLast(({ role }) => role === 'user')
  const text = question === undefined ? '' : messageText(question)
  const wanted = ASKED.findIndex((subject) => text.startsWith(`Which ${subject}`))
  if (wanted !== -1) {
    const found = messages.map((message) => FACTS[wanted]?.exec(messageText(message))?.[1]).find(Boolean)
    if (found !== undefined) return { content: `It is ${found}.` }
    const canGrep = tools.some((tool) => tool.function.name === 'lcm_grep')
    if (last?.role === 'tool' || !canGrep) return { content: 'I do not know.' }
    return { content: 'Let me look.', calls: [{ name: 'lcm_grep', arguments: { query: ASKED[wanted] } }] }
  }
  if (last?.role === 'user' && text.includes('Read'))
    return { calls: [{ name: 'read_file', arguments: { path: `src/module-${messages.length}.ts` } }] }
  return { content: `Done with that: ${text.slice(0, 60)}. ${filler(text, 30)}` }
}

/** Sentences that differ with their seed, about as long as real ones. */
export function filler(seed: string, words: number): string {
  const stock = [
    'index',
    'retry',
    'parser',
    'queue',
    'handler',
    'timeout',
    'schema',
    'router',
    'buffer',
    'worker',
  ]
  let state = [...seed].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 7)
  return Array.from({ length: words }, () => {
    state = (state * 1_103_515_245 + 12_345) >>> 0
    return `${stock[state % stock.length]}${state % 97}`
  }).join(' ')
}

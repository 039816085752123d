import type { ToolAnnotations } from '@modelcontextprotocol/server'

export interface ToolFacts {
  readonly title: string
  readonly annotations: ToolAnnotations
  readonly output: Readonly<Record<string, object>>
}

const READS: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
const WRITES: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }

const text = { type: 'string' }
const count = { type: 'integer' }
const yes = { type: 'boolean' }
const list = { type: 'array', items: { type: 'object' } }
/** The next cursor or offset; null at the end. */
const next = { type: ['string', 'integer', 'null'] }

const FACTS: Readonly<Record<string, ToolFacts>> = {
  lcm_grep: {
    title: 'Search the conversation',
    annotations: READS,
    output: { complete: yes, next, sessions: list },
  },
  lcm_describe: { title: 'Describe what is stored', annotations: READS, output: { next, sessions: list } },
  lcm_expand: {
    title: 'Read messages or a summary',
    annotations: READS,
    output: { ref: text, next, messages: list, sources: list },
  },
  decisions_list: {
    title: 'List decisions',
    annotations: READS,
    output: { total: count, next, decisions: list },
  },
  decisions_explain: {
    title: 'Explain a decision',
    annotations: READS,
    output: { id: text, choice: text, status: text, sources: list },
  },
  decisions_record: {
    title: 'Record a decision',
    annotations: WRITES,
    output: { recorded: yes, decided: yes },
  },
  decisions_retract: {
    title: 'Retract a decision',
    annotations: { ...WRITES, destructiveHint: true },
    output: {},
  },
}

export function toolFacts(name: string): ToolFacts | undefined {
  return Object.hasOwn(FACTS, name) ? FACTS[name] : undefined
}

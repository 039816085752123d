import { describe, expect, it } from 'vitest'
import type { CachePlan, CachePlanCall, CachePlanner, ToolSchema } from '../../src/index.ts'
import { open } from './doubles.ts'
import { assistant, system, texts, user } from './talk.ts'

const BILL = { read: 0, write5m: 0, write1h: 0, uncached: 3, usd: 0.1 }
const PLAN: CachePlan = {
  breakpoints: [{ ref: { at: 'message', index: 1, block: 0 }, ttl: '5m', reason: 'tail' }],
  expected: BILL,
}
const TOOL: ToolSchema = { type: 'function', function: { name: 'read' } }

/** A planner that notes what it is asked. */
function planner(parts: Partial<CachePlanner> = {}): {
  cache: CachePlanner
  calls: CachePlanCall[]
  log: string[]
} {
  const calls: CachePlanCall[] = []
  const log: string[] = []
  const cache: CachePlanner = {
    plan(call) {
      calls.push(call)
      return PLAN
    },
    isWarm: () => true,
    reset: (model) => log.push(`reset ${model}`),
    ...parts,
  }
  return { cache, calls, log }
}

describe('a session with a cache planner', () => {
  it('plans last of all, on what is really sent', async () => {
    const { cache, calls } = planner()
    const { session } = open(
      {
        selectContext: async ({ messages }) => ({
          messages: [...messages.slice(0, -1), assistant('recalled'), ...messages.slice(-1)],
        }),
        toolSchemas: () => [{ type: 'function', function: { name: 'lcm_grep' } }],
      },
      { cache },
    )
    const prepared = await session.prepare([system('s'), user('a'), user('b')], {
      tools: [TOOL],
      followUp: false,
    })
    expect(prepared.cache).toBe(PLAN)
    expect(texts(calls[0]?.messages ?? [])).toEqual(['s', 'a', 'recalled', 'b'])
    expect(calls[0]?.tools.map((tool) => tool.function.name)).toEqual(['read', 'lcm_grep'])
    expect(calls[0]?.followUp).toBe(false)
  })

  it("says how much of the system prompt is the host's when an engine appends to it", async () => {
    const { cache, calls } = planner()
    const { session } = open(
      {
        selectContext: async ({ messages }) => ({
          messages: [system('You are terse.\n\nA note.'), ...messages.slice(1)],
        }),
      },
      { cache },
    )
    await session.prepare([system('You are terse.'), user('a')])
    expect(calls[0]?.staticSystem).toBe('You are terse.'.length)
    const plain = planner()
    await open({}, { cache: plain.cache }).session.prepare([system('You are terse.'), user('a')])
    expect(plain.calls[0]).not.toHaveProperty('staticSystem')
  })

  it('forgets the cache with the conversation and with the model', async () => {
    const { cache, log } = planner()
    const { session } = open({}, { cache })
    await session.updateModel({ contextLength: 50_000, model: 'other' })
    await session.reset()
    expect(log).toEqual(['reset other', 'reset undefined'])
  })

  it('goes on without a plan when the planner fails', async () => {
    const failing = () => {
      throw new Error('no profile')
    }
    const { cache } = planner({ plan: failing, reset: failing })
    const { session } = open({}, { cache })
    const prepared = await session.prepare([user('a')])
    expect(prepared.cache).toBeNull()
    expect(prepared.warnings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'cache-planner-failed: the cache planner failed in plan and the session went on without it: no profile',
    ])
    await session.reset()
  })
})

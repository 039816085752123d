import compressor from '@palimpsest/compressor'
import { createContextSession, type EngineDefinition, type Message } from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import { describe, expect, it } from 'vitest'

const TASK = 'Rename old_1 to new_1, then old_2 to new_2, and keep the order of the fields.'
const INSTRUCTION = 'From now on answer in French.'
const engines: readonly [name: string, engine: EngineDefinition<object>, options: object][] = [
  ['compressor', compressor, {}],
  ['lcm', lcm, {}],
  ['decisions', decisions, {}],
  ['decisions over lcm', decisions, { compaction: { engine: lcm } }],
]

/** A task, and steps of an agent with a message of the host behind the fourth. */
async function work([, engine, options]: (typeof engines)[number], inserted: Message) {
  const session = createContextSession({ engine, options, contextLength: 8_000 })
  const history: Message[] = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: TASK },
  ]
  const requests: string[] = []
  let compactions = 0
  for (let step = 0; step < 30; step++) {
    const call = { id: `c${step}`, type: 'function' as const, function: { name: 'run', arguments: '{}' } }
    const content = `result ${step} ${'the grid counts in cents. '.repeat(60)}`
    history.push({ role: 'assistant', content: null, tool_calls: [call] })
    history.push({ role: 'tool', tool_call_id: call.id, content })
    if (step === 4) history.push(inserted)
    const prepared = await session.prepare(history)
    compactions += prepared.compactions.filter(({ outcome }) => outcome === 'compacted').length
    expect(prepared.warnings.filter(({ code }) => code === 'invariant-violation')).toEqual([])
    requests.push(JSON.stringify(prepared.messages))
  }
  await session.end()
  expect(compactions).toBeGreaterThan(1)
  return requests
}

describe.each(engines)('%s', (...engine) => {
  it('keeps the task verbatim behind a reminder of the host', async () => {
    const reminder = '<system-reminder>The list of tasks is empty.</system-reminder>'
    const requests = await work(engine, { role: 'user', content: reminder })
    expect(requests.filter((request) => !request.includes(TASK))).toEqual([])
  })

  it.each(['system', 'developer'] as const)(
    'keeps the task verbatim, and an instruction in the role %s',
    async (role) => {
      const requests = await work(engine, { role, content: INSTRUCTION })
      expect(requests.filter((request) => !request.includes(TASK))).toEqual([])
      expect(requests.at(-1)).toContain(INSTRUCTION)
    },
  )
})

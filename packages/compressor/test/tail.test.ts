import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { calls, createEngine, result, SUMMARY, scripted, system, turns, user, words } from './harness.ts'

describe('what was shortened in the tail', () => {
  it('shortens what a custom tool was given too', async () => {
    const custom = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: words(8_000) } }],
    } as Message
    const compacted = await createEngine().compress({
      messages: [system(), user('Patch.'), custom, result('c', 'ok')],
    })
    expect(compacted).toMatchObject({ outcome: 'compacted', warnings: [] })
  })

  it('does not cut a secret in two', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`
    for (const room of [200, 230, 260, 300]) {
      const args = { path: 'a', content: `${'x'.repeat(room)} ${key} ${'y'.repeat(5_000)}` }
      const messages = [
        system(),
        user('Write.'),
        calls({ id: 'w', name: 'write', args }),
        result('w', `${'x'.repeat(room)} ${key} ${words(6_000)}`),
      ]
      const { messages: after } = await createEngine({ window: 4_000 }).compress({ messages })
      expect(JSON.stringify(after.slice(2))).not.toContain('ghp_a1B2')
    }
  })

  it('leaves the words of the user as they are, secrets included, where they are kept verbatim', async () => {
    const last = user(`Use the token ghp_${'a1B2'.repeat(9)} and ${words(200)}.`)
    const tail = [
      calls({ id: 'w', name: 'write', args: { content: words(4_000) } }),
      result('w', words(4_000)),
    ]
    const { messages: after } = await createEngine({ window: 4_000 }).compress({
      messages: [system(), ...turns(5), last, ...tail],
    })
    expect(after).toContainEqual(last)
  })

  it('hides secrets in a refusal', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`
    const model = scripted([SUMMARY])
    const refusal: Message = { role: 'assistant', content: null, refusal: `I will not use ${key}.` }
    await createEngine({ model, protect_first_n: 0 }).compress({
      messages: [system(), user('Go.'), refusal, ...turns(30, 400), user('So?')],
    })
    expect(JSON.stringify(model.calls)).not.toContain(key)
  })
})

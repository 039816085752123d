import { createContextSession, type Message, messageText } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import compressor from '../src/index.ts'
import { SUMMARY, scripted, system, tokens, turns, user } from './harness.ts'

/** Plays a conversation in a small window and returns the last request, with how many compactions there were. */
async function play(messages: readonly Message[], profile: 'lean' | 'classic') {
  const session = createContextSession({
    engine: compressor,
    options: { profile },
    contextLength: 12_000,
    tokens,
    model: scripted([SUMMARY]),
  })
  let last: readonly Message[] = []
  for (const [index, { role }] of messages.entries()) {
    if (role !== 'user') continue
    last = (await session.prepare(messages.slice(0, index + 1))).messages
  }
  const { compressionCount } = session.engine
  await session.end()
  return { prompt: last.map(messageText).join('\n'), compressionCount }
}

describe.each(['lean', 'classic'] as const)('the identifiers of the profile %s', (profile) => {
  it('are those that were needed often, though a model never wrote them down and compactions lie between', async () => {
    const often = Array.from({ length: 8 }, () =>
      user('Again: what does settleLedger in src/core/ledger.ts return?'),
    )
    const told = [system(), ...often, ...turns(60, 300), user('What is next?')]
    const { prompt, compressionCount } = await play(told, profile)
    expect(compressionCount).toBeGreaterThan(3)
    expect(prompt).toContain('settleLedger')
    expect(prompt).toContain('src/core/ledger.ts')
  })

  it('are those of a code block too that a user pasted, though the words beside it are kept without it', async () => {
    const code = `const ORDER_RETRY_LIMIT = 4\nexport function endpointForBilling() {}\n${'// filler line of the block\n'.repeat(40)}`
    const told = [
      system(),
      user(`Use this:\n\`\`\`\n${code}\`\`\``),
      ...turns(40, 300),
      user('What is next?'),
    ]
    const { prompt } = await play(told, profile)
    expect(prompt).toContain('ORDER_RETRY_LIMIT')
    expect(prompt).toContain('endpointForBilling')
  })

  it('are gone when the host took back what named them', async () => {
    const session = createContextSession({
      engine: compressor,
      options: { profile },
      contextLength: 12_000,
      tokens,
      model: scripted([SUMMARY]),
    })
    await session.prepare([system(), user('settleLedger'), ...turns(2), user('Go on.')])
    const edited = [system(), user('nothing'), ...turns(40, 300), user('Go on.')]
    const { messages } = await session.prepare(edited)
    expect(session.engine.compressionCount).toBeGreaterThan(0)
    expect(messages.map(messageText).join('\n')).not.toContain('settleLedger')
    await session.end()
  })
})

import { describe, expect, it } from 'vitest'
import {
  type CompressCall,
  ContextOverflowError,
  contextOverflow,
  keptResult,
  ModelError,
  roughTokenCounter as tokens,
} from '../../src/index.ts'
import { compress, open } from './doubles.ts'
import { assistant, calling, result, talk, texts, user } from './talk.ts'

const tooLong = new ModelError('context-overflow', 'too long')

describe('recover', () => {
  const watched = () => {
    const calls: CompressCall[] = []
    const opened = open({
      compress: (call) => {
        calls.push(call)
        return compress(call)
      },
    })
    return { calls, ...opened }
  }

  it('compacts harder and returns what to send instead', async () => {
    const { calls, session, events } = watched()
    const { tokens: before } = await session.prepare(talk(3))
    const { messages, tokens: after, compactions } = await session.recover(tooLong)
    expect(texts(messages)).toEqual(['Be exact.', 'SUMMARY', 'and now?'])
    expect(after).toBeLessThan(before)
    expect(compactions).toHaveLength(1)
    expect(calls).toMatchObject([{ force: true, targetTokens: 25_000 }])
    expect(events.find(({ type }) => type === 'compaction')).toMatchObject({ trigger: 'overflow' })
  })

  it('does so once for a prompt, and again for the next one', async () => {
    const { session } = watched()
    await session.prepare(talk(3))
    await session.recover(tooLong)
    const again = session.recover(tooLong)
    await expect(again).rejects.toThrow(ContextOverflowError)
    await expect(again).rejects.toThrow(
      /was refused as too long, although 100000 should fit, and it was compacted for this request before; its largest part is messages\[0\]/,
    )
    await expect(again).rejects.toMatchObject({ code: 'CONTEXT_OVERFLOW', limit: 100_000, cause: tooLong })
    await session.prepare([...talk(3), assistant('x'.repeat(400)), user('more')])
    await expect(session.recover(tooLong)).resolves.toMatchObject({ compactions: [{ outcome: 'compacted' }] })
  })

  it('says what happened when compacting harder did not help', async () => {
    const { session } = open({
      compress: async ({ messages }) => keptResult('unchanged', 'nothing-left', messages, tokens),
    })
    await session.prepare([user('and now?')])
    await expect(session.recover(tooLong)).rejects.toThrow('compacting harder gave: unchanged, nothing-left')
  })

  it('cuts long texts when compacting harder did not help', async () => {
    const { session } = open({
      compress: async ({ messages }) => keptResult('unchanged', 'nothing-left', messages, tokens),
    })
    const host = [user('read it'), calling('a'), result('a', 'line\n'.repeat(2_000))]
    const { tokens: refused } = await session.prepare(host)
    const again = await session.recover(tooLong)
    expect(again.tokens).toBeLessThanOrEqual(0.75 * refused)
    expect(again.warnings.map(({ code }) => code)).toEqual(['cut-to-window'])
    const { messages } = await session.prepare([...host, assistant('I read it.'), user('and now?')])
    expect(messages.slice(0, 3)).toEqual(again.messages)
  })

  it('holds a smaller limit that the provider states, or names what does not fit', async () => {
    const { session } = open({
      compress: async ({ messages }) => keptResult('unchanged', 'nothing-left', messages, tokens),
    })
    const stated = new Error('prompt is too long: 9000 tokens > 1,000 maximum')
    await session.prepare([user('read it'), calling('a'), result('a', 'line\n'.repeat(8_000))])
    expect((await session.recover(stated)).tokens).toBeLessThanOrEqual(1_000)

    const question = user('why '.repeat(2_000))
    await session.prepare([user('hello'), assistant('hello'), question])
    const refused = session.recover(stated)
    await expect(refused).rejects.toThrow(
      'its largest part is messages[2], the last message of the user, with 2004 tokens: shorten it or split it',
    )
    await expect(refused).rejects.toMatchObject({
      limit: 1_000,
      largest: { kind: 'message', index: 2, role: 'user', isLastUser: true, tokens: 2_004 },
    })
  })

  it('learns the limit that the provider states', async () => {
    const { calls, session, events } = watched()
    await session.prepare(talk(3))
    await session.recover(new Error('prompt is too long: 1200 tokens > 1,000 maximum'))
    expect(session.engine.contextLength).toBe(1000)
    expect(calls).toMatchObject([{ targetTokens: 250 }])
    await session.prepare([...talk(3), assistant('x'.repeat(4000)), user('more')])
    expect(events.findLast(({ type }) => type === 'compaction')).toMatchObject({ trigger: 'safety-net' })
  })

  it('believes no limit far below a prompt that was answered, until the model changes', async () => {
    const { session } = open()
    const host = [user('read'), assistant('x'.repeat(40_000)), user('and now?')]
    const refuse = async (limit: number) => {
      host.push(assistant('yes'), user('and now?'))
      await session.prepare(host)
      await session.recover(new Error(`maximum context length is ${limit} tokens`))
      return session.engine.contextLength
    }
    await session.prepare(host)
    await session.observe({ message: { role: 'assistant', content: 'yes' } })
    expect(await refuse(2_013)).toBe(100_000)
    expect(await refuse(3_000)).toBe(3_000)
    await session.updateModel({ contextLength: 100_000 })
    expect(await refuse(2_013)).toBe(2_013)
  })

  it('throws every other error again as it came', async () => {
    const { session, calls } = watched()
    await session.prepare(talk(3))
    for (const error of [
      new Error('no network'),
      new ModelError('auth', 'wrong key'),
      'a text',
      null,
      undefined,
    ]) {
      await expect(session.recover(error)).rejects.toBe(error)
    }
    expect(calls).toEqual([])
  })

  it('may be tried again when it was aborted', async () => {
    let hangs = true
    const { session } = open({ compress: (call) => (hangs ? new Promise(() => {}) : compress(call)) })
    await session.prepare(talk(3))
    const controller = new AbortController()
    const call = session.recover(tooLong, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('stop')), 1)
    await expect(call).rejects.toThrow('stop')
    hangs = false
    await expect(session.recover(tooLong)).resolves.toMatchObject({ compactions: [{ outcome: 'compacted' }] })
  })
})

/** What providers say of a prompt that is too long, with the limit that they name. */
const TOO_LONG = `
128000 | This model's maximum context length is 128000 tokens. However, your messages resulted in 130321 tokens.
200000 | prompt is too long: 213462 tokens > 200000 maximum
200000 | input length and \`max_tokens\` exceed context limit: 190000 + 20000 > 200000, decrease input length
1048576 | The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).
32768 | Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length
131072 | This model's maximum prompt length is 131,072 but the request contains 537812 tokens.
4096 | the request exceeds the available context size (4096 tokens), try increasing it
- | Input is too long for requested model.
- | invalid params, context window exceeds limit (2013)
32768 | The decoder prompt (length 50000) is longer than the maximum model length of 32768. Make sure that
32768 | 'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 32768 tokens and your request has 30000 input tokens (8192 > 32768 - 30000).
8192 | This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).
262144 | Your request exceeded model token limit: 262144 (requested: 291351)
30720 | Range of input length should be [1, 30720]
128000 | prompt token count of 200000 exceeds the limit of 128000
- | Input Tokens Exceeded: Number of input tokens exceeds maximum length.
272000 | Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000
8193 | \`inputs\` tokens + \`max_new_tokens\` must be <= 8193. Given: 9000 \`inputs\` tokens and 512 \`max_new_tokens\`
- | Prompt exceeds max length
- | Please reduce the length of the messages or completion.
`
/** What is said of something else. */
const OTHERWISE = `
max_tokens is too large: 5000. This model supports at most 4096 completion tokens
'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 200 input tokens
Too many tokens per day
max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens
\`max_new_tokens\` must be <= 4096. Given: 5000
\`inputs\` tokens + \`max_new_tokens\` must be <= 1512. Given: 30 \`inputs\` tokens and 3984 \`max_new_tokens\`
This model's maximum context length is 8192 tokens. However, you requested 9100 tokens (100 in the messages, 9000 in the completion).
Range of max_tokens should be [1, 8192]
Image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes
Invalid 'tools': array too long. Expected an array with maximum length 128, but got 129.
the tool "token limit" does not exist
`
const linesOf = (text: string) => text.trim().split('\n')

describe('contextOverflow', () => {
  it.each(linesOf(TOO_LONG).map((line) => line.split(' | ')))(
    'reads the limit %s in: %s',
    (limit, message) => {
      expect(contextOverflow({ message })).toEqual(limit === '-' ? {} : { limit: Number(limit) })
    },
  )

  it.each([
    [{ code: 'context_length_exceeded' }, {}],
    [{ status: 413, message: 'Payload Too Large' }, {}],
    [{ statusCode: 413, message: 'Payload Too Large' }, {}],
    // A proxy's page has tags, and its status is no window.
    [{ status: 413, message: '<html><title>413 Request Entity Too Large</title>' }, {}],
    [
      { message: 'wrapped', cause: { message: 'wrapped again', cause: { code: 'context_length_exceeded' } } },
      {},
    ],
    [
      {
        message: 'Bad request',
        error: { code: 'context_length_exceeded', message: 'maximum context length is 8192 tokens' },
      },
      { limit: 8192 },
    ],
    [new ModelError('context-overflow', 'x', { contextLength: 5000 }), { limit: 5000 }],
    [
      new ModelError('unknown', 'x', { cause: new ModelError('context-overflow', 'maximum is 7000') }),
      { limit: 7000 },
    ],
  ])('recognises %o', (error, overflow) => {
    expect(contextOverflow(error)).toEqual(overflow)
  })

  it.each<[unknown]>([
    ...linesOf(OTHERWISE).map((message): [unknown] => [{ message }]),
    [
      {
        status: 429,
        message: 'Request too large for gpt-x on tokens per min (TPM): Limit 30000, Requested 50000.',
      },
    ],
    [{ status: 429, message: 'Rate limit reached: too many tokens per minute' }],
    [{ status: 429, message: 'Too many tokens, please wait before trying again.' }],
    [{ status: 413, message: 'Request too large on tokens per day (TPD): Limit 6000, Requested 9000' }],
    [{ status: 429, message: 'Number of input tokens exceeds the limit of 30000 per minute' }],
    [{ status: 500, message: 'Internal error' }],
    [new ModelError('quota', 'maximum context length of your plan')],
    ['prompt is too long'],
    [undefined],
    [{ message: null, cause: {} }],
  ])('is silent about %o', (error) => {
    expect(contextOverflow(error)).toBeUndefined()
  })
})

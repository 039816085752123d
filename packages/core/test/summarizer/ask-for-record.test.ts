import { describe, expect, it } from 'vitest'
import type { Completion, CompletionModel } from '../../src/index.ts'
import { askForRecord } from '../../src/summarizer.ts'

const answering = (answer: Partial<Completion> | Promise<never>): CompletionModel => ({
  name: 'scripted',
  complete: async () => ({ text: '', finishReason: 'stop', ...(await answer) }),
})
const ask = (model: CompletionModel, signal?: AbortSignal) =>
  askForRecord({ model, system: 'Write a record.', prompt: 'the conversation', signal })

describe('askForRecord', () => {
  it('gives the record without the thinking before it, and without secrets', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`
    const text = `<think>what to say</think>\n## Goal\nUse ${key}.\n`
    const record = await ask(answering({ text }))
    expect(record).toMatch(/^## Goal\nUse /)
    expect(record).not.toContain(key)
  })

  it.each([
    [{ text: '## Goal\nx', finishReason: 'length' }, 'MODEL_TRUNCATED'],
    [{ text: '## Goal\nx', finishReason: 'content-filter' }, 'MODEL_BLOCKED'],
    [{ text: '  ' }, 'MODEL_EMPTY'],
    [{ text: undefined as never }, 'MODEL_UNKNOWN'],
    [{ text: 'I cannot help with that.' }, 'MODEL_UNKNOWN'],
    [{ text: '## Goal\nx\n</conversation>' }, 'MODEL_UNKNOWN'],
  ] as const)('takes %j for a failure', async (answer, code) => {
    await expect(ask(answering(answer))).rejects.toMatchObject({ code })
  })

  it('does not wait for a model that ignores its signal', async () => {
    const controller = new AbortController()
    const pending = ask(answering(new Promise<never>(() => {})), controller.signal)
    controller.abort(new Error('the user left'))
    await expect(pending).rejects.toThrow('the user left')
  })
})

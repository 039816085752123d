import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRecordedUser, readTranscript } from '../src/index.ts'
import { conversation, text, toolResult, toolUse } from './support/claude-lines.ts'
import { fixture, outline, readRecords, skipped, toLines, withFile } from './support/recording.ts'

describe('a Claude Code session', () => {
  it('is one assistant message per response, results behind their calls', async () => {
    const transcript = await readTranscript(fixture('claude-code.jsonl'))
    expect(transcript.format).toBe('claude-code')
    expect(outline(transcript)).toEqual([
      'user: Fix the build',
      'assistant: toolu_1 toolu_2',
      'tool toolu_1: export {}',
      'tool toolu_2: not found',
      'user: and update the lockfile',
      'user: never mind b.ts',
      'assistant: Only a.ts needs a change.',
      'user: Caveat',
      'user: also run the tests',
      'assistant: Tests pass.',
    ])
    expect(skipped(transcript)).toEqual({
      'API error message': 1,
      'file-history-snapshot event': 1,
      'progress event': 2,
      'sidechain message': 1,
    })
    expect(transcript.model).toBe('claude-test-2')
  })

  it('counts the usage of a response once, cache included', async () => {
    const { entries } = await readTranscript(fixture('claude-code.jsonl'))
    expect(entries.filter(({ usage }) => usage !== undefined)).toHaveLength(3)
    expect(entries[1]?.usage).toEqual({
      promptTokens: 1003,
      completionTokens: 57,
      totalTokens: 1060,
      cacheReadTokens: 900,
      cacheWriteTokens: 100,
    })
  })

  it('leaves the native summary out of the messages and says where it was', async () => {
    const { nativeCompactions } = await readTranscript(fixture('claude-code.jsonl'))
    expect(nativeCompactions).toEqual([
      { beforeEntry: 7, summary: 'The build is being fixed.', tokensBefore: 160000 },
    ])
  })

  it('for a search, also has results that were saved to files or lost their call', async () => {
    const { user, assistant } = conversation()
    const notice = (name: string) =>
      `<persisted-output>\nOutput too large (80KB). Full output saved to: /elsewhere/tool-results/${name}\n\nPreview\n</persisted-output>`
    const records = [
      user('go'),
      assistant('m', [toolUse('t1'), toolUse('t2')]),
      user([toolResult('t1', notice('one.txt')), toolResult('t2', notice('gone.txt'))]),
      user([toolResult('t9', 'an orphan')]),
    ]
    await withFile(toLines(records), async (path) => {
      const folder = join(path.replace('.jsonl', ''), 'tool-results')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'one.txt'), 'the whole output')
      const seen = outline(await readTranscript(path))
      expect(seen).toHaveLength(4)
      expect(seen[2]).toContain('Preview')
      const whole = await readTranscript(path, { whole: true })
      expect(outline(whole)[2]).toBe('tool t1: the whole output')
      expect(outline(whole)[4]).toBe('user: an orphan')
      expect(whole.malformed).toEqual([
        { line: 3, reason: 'its result, saved as tool-results/gone.txt, is not read (ENOENT)' },
      ])
    })
  })

  it('has host messages only if they were answered, and not as the user’s words', async () => {
    const { user, assistant } = conversation()
    const transcript = await readRecords([
      user('go', 'u', null),
      { ...user('never sent', 'm1', 'u'), isMeta: true },
      { ...user('the skill says', 'm2', 'u'), isMeta: true },
      { ...user('and goes on', 'm3', 'm2'), isMeta: true },
      assistant('a', [text('I follow it')], 'x', 'm3'),
    ])
    expect(outline(transcript)).toEqual([
      'user: go',
      'user: the skill says',
      'user: and goes on',
      'assistant: I follow it',
    ])
    expect(transcript.entries.map(({ message }) => isRecordedUser(message))).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(skipped(transcript)).toEqual({ 'meta message': 1 })
  })

  it('keeps a summary as a message when it is all that the file has of the past', async () => {
    const { user, assistant } = conversation()
    const transcript = await readRecords([
      { ...user('What happened before.'), isCompactSummary: true },
      assistant('m', [text('Going on.')]),
    ])
    expect(outline(transcript)).toEqual(['user: What happened before.', 'assistant: Going on.'])
    expect(transcript.nativeCompactions).toEqual([{ beforeEntry: 1, summary: 'What happened before.' }])
  })

  it('reads images and documents, also in results', async () => {
    const { user, assistant } = conversation()
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'aGk=' } }
    const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' } }
    const { entries } = await readRecords([
      user([image, pdf]),
      assistant('m', [toolUse('t')]),
      user([{ type: 'tool_result', tool_use_id: 't', content: [text('a picture'), image] }]),
    ])
    const imagePart = { type: 'image_url', image_url: { url: 'data:image/webp;base64,aGk=' } }
    expect(entries[0]?.message.content).toEqual([
      imagePart,
      { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=' } },
    ])
    expect(entries[2]?.message.content).toEqual([text('a picture'), imagePart])
  })
})

describe('lines of a Claude Code session', () => {
  it('without request ids are merged only where they follow each other', async () => {
    const { user, assistant } = conversation()
    const bare = (content: unknown[]) => ({ ...assistant('constant', content), requestId: undefined })
    const transcript = await readRecords([
      user('go'),
      bare([text('one')]),
      bare([toolUse('t1')]),
      user([toolResult('t1')]),
      bare([text('two')]),
    ])
    expect(outline(transcript)).toEqual(['user: go', 'assistant: one t1', 'tool t1: t1', 'assistant: two'])
  })

  it('of a sub-agent are the conversation when the file has no other', async () => {
    const { user, assistant } = conversation()
    const side = (line: object) => ({ ...line, isSidechain: true })
    const transcript = await readRecords([side(user('find it')), side(assistant('m', [text('found')]))])
    expect(outline(transcript)).toEqual(['user: find it', 'assistant: found'])
  })
})

describe('requests that a session has as they were sent', () => {
  const shape = (system: string, ...names: string[]) => ({
    type: 'api-request-shape',
    sessionId: 's',
    shape: {
      system: [text('Be brief.'), text(system)],
      tools: [
        ...names.map((name) => ({ name, description: `Does ${name}.`, input_schema: { type: 'object' } })),
        {
          name: 'Later',
          description: 'Found by a search.',
          input_schema: { type: 'object' },
          defer_loading: true,
        },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
    },
  })
  const blob = (role: string, ...texts: string[]) => ({
    type: 'api-request-blob',
    sessionId: 's',
    message: { role, content: texts.map(text) },
  })

  it('give the system prompt, the tools, and what the host said, without the user’s words twice', async () => {
    const { user, assistant } = conversation()
    const transcript = await readRecords([
      user('Fix the build'),
      shape('You fix builds.', 'Read', 'Bash'),
      blob('user', '<system-reminder>The date.</system-reminder>', 'Fix the build'),
      blob('system', '# Environment'),
      { type: 'api-request', sessionId: 's', id: 'r1', tail: ['a', 'b'] },
      assistant('m1', [text('Done.')]),
      user('And now?'),
      shape('Another prompt.', 'Read'),
      blob('user', 'And now?\n'),
      blob('user', '<system-reminder>\nAnd now?\n</system-reminder>'),
      blob('assistant', 'Done.'),
      blob('system', 'A tool was added.'),
      assistant('m2', [text('Nothing.')]),
    ])
    const prompt = [
      'Be brief.',
      'You fix builds.',
      '<system-reminder>The date.</system-reminder>',
      '# Environment',
    ]
    expect(outline(transcript)).toEqual([
      `system: ${JSON.stringify(prompt.map(text))}`,
      'user: Fix the build',
      'assistant: Done.',
      'user: And now?',
      'user: A tool was added.',
      'assistant: Nothing.',
    ])
    expect(transcript.entries[4]?.message.providerData).toEqual({ transcript: { recordedRole: 'system' } })
    const read = { name: 'Read', description: 'Does Read.', parameters: { type: 'object' } }
    expect(transcript.tools?.map((tool) => tool.function.name)).toEqual(['Read', 'Bash'])
    expect(transcript.tools?.[0]).toEqual({ type: 'function', function: read })
    expect(skipped(transcript)).toEqual({})
  })
})

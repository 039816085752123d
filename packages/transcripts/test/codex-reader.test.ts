import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readTranscript } from '../src/index.ts'
import { fixture, outline, readRecords, skipped, toLines, withFile } from './support/recording.ts'

const item = (payload: object) => ({ type: 'response_item', payload })
const message = (role: string, text: string) =>
  item({
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  })
const call = (call_id: string) => item({ type: 'function_call', name: 'shell', arguments: '{}', call_id })
const output = (call_id: string, text: string) =>
  item({ type: 'function_call_output', call_id, output: text })
const event = (payload: object) => ({ type: 'event_msg', payload })
const tokens = (total: number, prompt: number) =>
  event({
    type: 'token_count',
    info: {
      total_token_usage: { total_tokens: total },
      last_token_usage: { input_tokens: prompt, output_tokens: 1 },
    },
  })

describe('a Codex rollout', () => {
  it('reads as the conversation that Codex would send', async () => {
    const transcript = await readTranscript(fixture('codex.jsonl'))
    expect(transcript.format).toBe('codex')
    expect(outline(transcript)).toEqual([
      'system: You are a coding agent.\n\nWrite access is on.',
      'user: <environment_context>\n<cwd>/project</cwd>\n</environment_context>',
      'user: List the files',
      'assistant: I look around. call_1 call_2 call_3',
      'tool call_1: a.ts\nb.ts',
      'tool call_2: {"output":"Success","metadata":{"exit_code":0}}',
      'tool call_3: denied',
      'assistant: Two files.',
      'user: [{"type":"text","text":"Delete b.ts"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]',
      'assistant: call_4',
      'tool call_4: [no result: the turn was aborted]',
    ])
    expect(skipped(transcript)).toEqual({
      'ghost_snapshot item': 1,
      'turn_aborted event': 1,
      'user_message event': 1,
    })
    expect(transcript.model).toBe('gpt-test')
    expect(transcript.startedAt).toBe(Date.parse('2026-03-04T08:59:59Z'))
  })

  it('gives each response its own token count, cached tokens inside the prompt', async () => {
    const { entries } = await readTranscript(fixture('codex.jsonl'))
    expect(entries[3]?.usage).toEqual({
      promptTokens: 1000,
      completionTokens: 50,
      totalTokens: 1050,
      cacheReadTokens: 600,
      reasoningTokens: 30,
    })
    expect(entries[7]?.usage?.promptTokens).toBe(1100)
    expect(entries[9]?.usage).toBeUndefined()
  })

  it('records the native compaction beside the messages', async () => {
    const { nativeCompactions } = await readTranscript(fixture('codex.jsonl'))
    expect(nativeCompactions).toEqual([
      { beforeEntry: 8, summary: 'Another model began.\nThey listed two files.' },
    ])
  })

  it('counts a response that is recorded in pieces as one, unless results came between', async () => {
    const transcript = await readRecords([
      message('user', 'go'),
      call('1'),
      call('2'),
      output('1', 'one'),
      output('2', 'two'),
      tokens(10, 10),
      call('3'),
      output('3', 'three'),
      tokens(30, 20),
      tokens(30, 20),
      message('assistant', 'done'),
      tokens(60, 30),
    ])
    expect(outline(transcript)).toEqual([
      'user: go',
      'assistant: 1 2',
      'tool 1: one',
      'tool 2: two',
      'assistant: 3',
      'tool 3: three',
      'assistant: done',
    ])
    expect(transcript.entries.map(({ usage }) => usage?.promptTokens).filter(Boolean)).toEqual([10, 20, 30])
  })

  it('takes rolled-back turns back', async () => {
    const transcript = await readRecords([
      message('user', 'one'),
      message('assistant', '1'),
      message('user', 'two'),
      message('user', '<environment_context>now</environment_context>'),
      message('assistant', '2'),
      event({ type: 'thread_rolled_back', num_turns: 1 }),
      message('user', 'three'),
    ])
    expect(outline(transcript)).toEqual(['user: one', 'assistant: 1', 'user: three'])
    expect(skipped(transcript)['message of a turn that was rolled back']).toBe(3)
    const all = await readRecords(
      [message('user', 'one'), event({ type: 'thread_rolled_back', num_turns: 1 })],
      {
        branches: 'all',
      },
    )
    expect(outline(all)).toEqual(['user: one'])
  })

  it('keeps what one agent wrote to another, apart from the user’s words', async () => {
    const content = [{ type: 'input_text', text: 'Line 88 rounds twice.' }]
    const written = { type: 'agent_message', author: '/root/review', recipient: '/root', content }
    const transcript = await readRecords([
      message('user', 'Review it'),
      item(written),
      message('assistant', 'Done'),
    ])
    expect(outline(transcript)).toEqual(['user: Review it', 'user: Line 88 rounds twice.', 'assistant: Done'])
    expect(transcript.entries[1]?.message.providerData).toEqual({
      transcript: { recordedRole: 'agent', author: '/root/review' },
    })
    expect(outline(await readRecords([item(written), message('assistant', 'Done')]))).toHaveLength(2)
  })

  it('begins with what was kept when a rollout was rewritten in place', async () => {
    const kept = [
      message('user', 'Never touch it').payload,
      { type: 'compaction', encrypted_content: 'gAAAA' },
    ]
    const transcript = await readRecords([
      { type: 'compacted', payload: { message: '', replacement_history: kept } },
      message('user', 'Go on'),
      { type: 'compacted', payload: { message: '', replacement_history: kept } },
    ])
    expect(outline(transcript)).toEqual(['user: Never touch it', 'user: Go on'])
    expect(transcript.nativeCompactions.map(({ beforeEntry }) => beforeEntry)).toEqual([1, 2])
  })

  it('is read when zstd packed it, and refused when that was cut off', async () => {
    const packed = zstdCompressSync(toLines([message('user', 'one'), message('assistant', 'two')]))
    await withFile(packed, async (path) => {
      expect(outline(await readTranscript(path))).toEqual(['user: one', 'assistant: two'])
    })
    await withFile(packed.subarray(0, -9), async (path) => {
      await expect(readTranscript(path)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' })
    })
  })

  it('goes on from the rollout that it was forked from, also where that is archived or a fork itself', async () => {
    const home = await mkdtemp(join(tmpdir(), 'palimpsest-codex-'))
    onTestFinished(() => rm(home, { recursive: true }))
    const write = (folder: string, id: string, base: object | undefined, ...texts: string[]) => {
      const path = join(home, folder, `rollout-2026-05-01T12-00-00-${id}.jsonl`)
      mkdirSync(join(home, folder), { recursive: true })
      const header = { type: 'session_meta', payload: { id, ...(base && { history_base: base }) } }
      writeFileSync(path, toLines([header, ...texts.map((text) => message('user', text))]))
      return path
    }
    write('archived_sessions', 'aaa', undefined, 'a1', 'a2', 'a3')
    write('sessions/2026/05/01', 'bbb', { thread_id: 'aaa', end_ordinal_exclusive: 3 }, 'b1', 'b2')
    const path = write('sessions/2026/05/02', 'ccc', { thread_id: 'bbb', end_ordinal_exclusive: 2 }, 'c1')
    expect(outline(await readTranscript(path))).toEqual(['user: a1', 'user: a2', 'user: b1', 'user: c1'])
    const lost = write('sessions/2026/05/02', 'ddd', { thread_id: 'gone', end_ordinal_exclusive: 2 }, 'd1')
    const { malformed } = await readTranscript(lost)
    expect(malformed).toEqual([
      { line: 1, reason: expect.stringContaining('rollout gone, which is missing') },
    ])
  })

  it('leaves the answer to the summarising prompt out', async () => {
    const transcript = await readRecords([
      message('user', 'one'),
      message('assistant', 'SUMMARY'),
      { type: 'compacted', payload: { message: 'Prefix.\nSUMMARY' } },
    ])
    expect(outline(transcript)).toEqual(['user: one'])
    expect(skipped(transcript)).toEqual({ 'native summary': 1 })
  })
})

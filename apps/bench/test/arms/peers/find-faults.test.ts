import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { findFaults } from '../../../src/arms/peers/peer-arm.ts'

describe('findFaults', () => {
  const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } } as const
  const transcript: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: 'text' },
  ]
  it('names what a provider refuses and what the model misses, each once', () => {
    expect(findFaults(transcript, transcript)).toEqual([])
    expect(findFaults(transcript.slice(0, 3), transcript)).toEqual([])
    expect(findFaults([...transcript.slice(0, 2), ...transcript.slice(3)], transcript)).toEqual([
      'invalid-projection',
    ])
    expect(findFaults(transcript.slice(3), transcript)).toEqual([
      'invalid-projection',
      'system-prompt-lost',
      'user-message-lost',
    ])
  })
})

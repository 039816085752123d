import { describe, expect, it } from 'vitest'
import { MESSAGE_OVERHEAD_TOKENS } from '../../src/budget/count-tokens.ts'
import { roughTokenCounter as tokens, type UserMessage } from '../../src/index.ts'

const count = (part: object) =>
  tokens.countMessage({ role: 'user', content: [part] } as UserMessage) - MESSAGE_OVERHEAD_TOKENS
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`
const file = (type: string, bytes: Buffer) => ({ type: 'file', file: { file_data: dataUrl(type, bytes) } })
const audio = (bytes: Buffer, format = 'wav') => ({
  type: 'input_audio',
  input_audio: { data: bytes.toString('base64'), format },
})

/** A wave file of `seconds` at that many bytes each. */
function wave(seconds: number, rate: number): Buffer {
  const bytes = Buffer.alloc(44 + seconds * rate)
  bytes.write('RIFF', 0)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(rate, 28)
  return bytes
}

/** A movie whose header says `seconds`. */
function movie(seconds: number, size: number, isLong = false): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.write('ftypmp42', 4)
  bytes.write('mvhd', size - 100)
  bytes.writeUInt8(isLong ? 1 : 0, size - 96)
  const scale = size - 100 + (isLong ? 24 : 16)
  bytes.writeUInt32BE(1_000, scale)
  bytes.writeUInt32BE(seconds * 1_000, scale + (isLong ? 8 : 4))
  return bytes
}

const pdf = (pages: number) =>
  Buffer.from(`%PDF-1.4\n<< /Type /Pages >>\n${'<< /Type /Page /Parent 1 0 R >>\n'.repeat(pages)}`)

describe('media', () => {
  it.each([
    ['a wave file at 8 kHz', audio(wave(60, 16_000)), 60 * 32],
    ['a wave file at 44.1 kHz in stereo', audio(wave(10, 176_400)), 10 * 32],
    ['samples without a header', audio(Buffer.alloc(60 * 32_000, 7)), 60 * 32],
    ['compressed audio', audio(Buffer.alloc(60 * 8_000), 'mp3'), 60 * 32],
    ['audio as a file', file('audio/mp4', movie(90, 5_000)), 90 * 32],
    ['a movie', file('video/mp4', movie(20, 900_000)), 20 * 295],
    ['a movie with a long header', file('video/quicktime', movie(20, 900_000, true)), 20 * 295],
    ['a movie of another kind', file('video/webm', Buffer.alloc(2_500_000)), 10 * 295],
    [
      'a movie in its own part',
      { type: 'video_url', video_url: { url: dataUrl('video/mp4', movie(3, 999)) } },
      885,
    ],
    ['a document of three pages', file('application/pdf', pdf(3)), 3 * 3_000],
    ['a document whose pages are compressed', file('application/pdf', Buffer.alloc(190_000)), 4 * 3_000],
    ['a document elsewhere', { type: 'file', file: { file_data: 'https://example.org/a.pdf' } }, 3_000],
    ['a text', file('text/plain', Buffer.alloc(4_000)), 1_000],
    ['a file that the provider has', { type: 'file', file: { file_id: 'file_1' } }, 1_500],
  ] as const)('%s', (_, part, expected) => {
    expect(Math.abs(count(part) - expected)).toBeLessThanOrEqual(expected / 50)
  })
})

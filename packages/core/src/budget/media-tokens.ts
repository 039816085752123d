/**
 * Tokens of an image whose size is not known: what Hermes Agent estimates. Also of media without its bytes.
 */
export const IMAGE_TOKENS = 1500
/** Tokens of a second of audio: Gemini's rate (ai.google.dev, "Understand audio"). OpenAI's is about 10. */
const AUDIO_RATE = 32
/** Tokens of a second of video with its sound: Gemini's rate (ai.google.dev, "Token counting"). */
const VIDEO_RATE = 295
/** Tokens of a page of a PDF: the upper end of what Anthropic says of its text (platform.claude.com, "PDF support"). */
const PAGE_TOKENS = 3000

/** Bytes of a second where a file does not say its length: speech in 16 bits at 16 kHz, and common rates of compression. */
const WAVE_BYTES = 32_000
const AUDIO_BYTES = 8_000
const VIDEO_BYTES = 250_000
/** Bytes of a page where the pages of a PDF cannot be counted, as they are compressed. */
const PAGE_BYTES = 50_000
/** Characters of base64 that have the header of a wave file. */
const WAVE_HEADER = 96

/** Tokens of audio by its length. `data`: base64. */
export function audioTokens(data: unknown, format: string): number {
  if (typeof data !== 'string') return IMAGE_TOKENS
  const size = bytesOf(data)
  const seconds = /wav|pcm|l16/i.test(format)
    ? waveSeconds(data, size)
    : (movieSeconds(data) ?? size / AUDIO_BYTES)
  return Math.ceil(seconds * AUDIO_RATE)
}

/** Tokens of a file: of audio and video by its length, of a PDF by its pages, of others by their bytes. `data`: base64, or a data URL. */
export function fileTokens(data: unknown, type = ''): number {
  if (typeof data !== 'string') return IMAGE_TOKENS
  const [head = '', mediaType = type] = /^data:([^;,]*)(?:;[^,]*)?,/.exec(data) ?? []
  const body = data.slice(head.length)
  if (mediaType.startsWith('audio/')) return audioTokens(body, mediaType)
  if (mediaType.startsWith('video/'))
    return Math.ceil((movieSeconds(body) ?? bytesOf(body) / VIDEO_BYTES) * VIDEO_RATE)
  if (mediaType.startsWith('image/')) return IMAGE_TOKENS
  if (mediaType.startsWith('text/')) return Math.ceil(bytesOf(body) / 4)
  const bytes = decoded(body)
  const pages = bytes?.match(/\/Type\s*\/Page\b/g)?.length ?? Math.ceil(bytesOf(body) / PAGE_BYTES)
  return Math.max(1, pages) * PAGE_TOKENS
}

function bytesOf(base64: string): number {
  return Math.floor(base64.length * 0.75)
}

/** Each character is a byte. Undefined for what is not base64. */
function decoded(base64: string): string | undefined {
  try {
    return atob(base64)
  } catch {
    return undefined
  }
}

/** By the rate of bytes in the header of the file. */
function waveSeconds(base64: string, size: number): number {
  const header = decoded(base64.slice(0, WAVE_HEADER)) ?? ''
  const chunk = header.indexOf('fmt ')
  const rate = header.startsWith('RIFF') && chunk !== -1 ? littleEndian(header, chunk + 16) : 0
  return size / (rate > 0 ? rate : WAVE_BYTES)
}

/** By the movie header of MP4, M4A and QuickTime (ISO/IEC 14496-12). Undefined for other files. */
function movieSeconds(base64: string): number | undefined {
  const bytes = decoded(base64)
  const box = bytes?.startsWith('ftyp', 4) ? bytes.indexOf('mvhd') : -1
  if (bytes === undefined || box === -1) return undefined
  const isLong = bytes.charCodeAt(box + 4) === 1
  const scale = bigEndian(bytes, box + (isLong ? 24 : 16))
  const length = bigEndian(bytes, box + (isLong ? 32 : 20))
  return scale > 0 && length > 0 ? length / scale : undefined
}

function littleEndian(bytes: string, at: number): number {
  return [3, 2, 1, 0].reduce((sum, place) => sum * 256 + bytes.charCodeAt(at + place), 0)
}

function bigEndian(bytes: string, at: number): number {
  return [0, 1, 2, 3].reduce((sum, place) => sum * 256 + bytes.charCodeAt(at + place), 0)
}

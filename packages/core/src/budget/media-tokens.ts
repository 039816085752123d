/** Tokens of an image of unknown size, and of media without bytes. The number is Hermes Agent's estimate. */
export const IMAGE_TOKENS = 1500
/** Tokens per second of audio at Gemini (ai.google.dev, "Understand audio"). OpenAI's rate is about 10. */
const AUDIO_RATE = 32
/** Tokens per second of video with sound at Gemini (ai.google.dev, "Token counting"). */
const VIDEO_RATE = 295
/** Tokens per PDF page: the upper end of Anthropic's range for text (platform.claude.com, "PDF support"). */
const PAGE_TOKENS = 3000

/** Bytes per second when a file does not state its length: 16-bit speech at 16 kHz, and common compression rates. */
const WAVE_BYTES = 32_000
const AUDIO_BYTES = 8_000
const VIDEO_BYTES = 250_000
/** Bytes per page of a PDF whose compressed pages cannot be counted. */
const PAGE_BYTES = 50_000
const WAVE_HEADER = 96

export function audioTokens(data: unknown, format: string): number {
  if (typeof data !== 'string') return IMAGE_TOKENS
  const size = bytesOf(data)
  const seconds = /wav|pcm|l16/i.test(format)
    ? waveSeconds(data, size)
    : (movieSeconds(data) ?? size / AUDIO_BYTES)
  return Math.ceil(seconds * AUDIO_RATE)
}

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

function decoded(base64: string): string | undefined {
  try {
    return atob(base64)
  } catch {
    return undefined
  }
}

function waveSeconds(base64: string, size: number): number {
  const header = decoded(base64.slice(0, WAVE_HEADER)) ?? ''
  const chunk = header.indexOf('fmt ')
  const rate = header.startsWith('RIFF') && chunk !== -1 ? littleEndian(header, chunk + 16) : 0
  return size / (rate > 0 ? rate : WAVE_BYTES)
}

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

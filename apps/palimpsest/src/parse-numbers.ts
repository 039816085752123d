import { InvalidArgumentError } from 'commander'

const LEAST_WINDOW_TOKENS = 2_000
const MOST_WINDOW_TOKENS = 1_000_000_000

export function parseWindow(text: string): number {
  const tokens = /^[\d_]+$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN
  if (tokens >= LEAST_WINDOW_TOKENS && tokens <= MOST_WINDOW_TOKENS) return tokens
  throw new InvalidArgumentError(
    `Use a whole number of tokens, from ${LEAST_WINDOW_TOKENS} to ${MOST_WINDOW_TOKENS}, such as 200000.`,
  )
}

export function parseThreshold(text: string): number {
  const share = Number(text)
  if (text.trim() !== '' && share >= 0 && share <= 1) return share
  throw new InvalidArgumentError(
    'Use a number between 0 and 1, such as 0.5; 0 is never, 1 is when the window is full.',
  )
}

export function parseContext(text: string): number {
  const messages = parseCount(text)
  if (messages <= 10) return messages
  throw new InvalidArgumentError('Use a whole number from 0 to 10.')
}

export function parseCount(text: string): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(count)) return count
  throw new InvalidArgumentError('Use a whole number, such as 20.')
}

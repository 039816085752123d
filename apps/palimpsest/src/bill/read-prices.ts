import { readFile } from 'node:fs/promises'
import { errorText } from '@palimpsest/core'
import { type PricingData, parsePricing } from '@palimpsest/prompt-caching'
import { UsageError } from '../usage-error.ts'

/**
 * Prices of the user's own. A byte order mark, which some editors write, is passed over.
 *
 * @throws UsageError when the file is not there, is no JSON, or has a fault, with its path in the file.
 */
export async function readPrices(file: string): Promise<PricingData> {
  try {
    const text = await readFile(file, 'utf8')
    return parsePricing(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = isMissing ? 'there is no such file' : errorText(error)
    throw new UsageError(`--prices: ${file} cannot be used: ${why}`, { cause: error })
  }
}

import { defineContextEngine } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import { createCompressor } from './create-compressor.ts'
import { type CompressorOptions, compressorOptionsSchema } from './options.ts'

/**
 * The lossy compressor: keeps the start and the end of a conversation and replaces the messages between by a structured
 * summary, with or without a model.
 */
export const compressor = defineContextEngine<CompressorOptions>({
  name: 'compressor',
  apiVersion: 1,
  description: 'Replaces the middle of a conversation by a structured summary (lossy, no store)',
  create: (options, host) =>
    createCompressor(parseOptions(compressorOptionsSchema(), options, 'compressor'), host),
})

export default compressor
export { COMPRESSOR_DEFAULTS, type CompressorOptions } from './options.ts'

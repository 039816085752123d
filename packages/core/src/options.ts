import * as z from './options/zod.ts'

export { lazily } from './options/lazily.ts'
export { closestName, parseOptions } from './options/parse-options.ts'
export { readToolArguments, toolSchema } from './options/tool-arguments.ts'
export { z }

import * as z from './options/zod.ts'

export { closestName } from './options/closest-name.ts'
export { lazily } from './options/lazily.ts'
export { parseOptions } from './options/parse-options.ts'
export { readToolArguments, toolSchema } from './options/tool-arguments.ts'
export { z }

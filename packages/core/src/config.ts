export { type Config, configSchema } from './config/config-schema.ts'
export { type ParseConfigOptions, parseConfig } from './config/parse-config.ts'
export { parseOptions } from './config/parse-options.ts'

import { fileURLToPath } from 'node:url'

/** The root folder of this repository, without a trailing slash. */
export const REPOSITORY_ROOT: string = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

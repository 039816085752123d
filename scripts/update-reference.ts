import { writeFileSync } from 'node:fs'
import { referencePages } from '../apps/palimpsest/test/reference/pages.ts'

/** Puts what the schemas and commands are now into the two pages. A test fails when they differ. */
for (const { file, text } of referencePages()) writeFileSync(file, text)

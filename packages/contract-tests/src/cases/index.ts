import type { ContractCase } from '../contract-case.ts'
import { shapeCases } from './shape.ts'

/** Every case of the contract of engines, in the order of their ids. */
export const contractCases: readonly ContractCase[] = [...shapeCases]

import { tryRules } from './rules.ts'
import { sources } from './table.ts'

tryRules(sources)

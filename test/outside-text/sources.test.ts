import { tryRules } from './rules.ts'
import { sources } from './sources.ts'

tryRules(sources)

/** The array forms of `prompt` (section 2.2): texts, token ids, or lists of token ids. */

import * as v from 'valibot'

const tokens = v.array(v.number())

export const prompt = v.union([v.array(v.string()), tokens, v.array(tokens)])

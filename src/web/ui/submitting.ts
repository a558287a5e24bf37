import { createContext } from 'react'

/** Whether what is typed and chosen around is being sent; set by `InputLock`. */
export const Submitting = createContext(false)

/** The names of a machine for itself, as hosts and as parts of addresses. */
export const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/

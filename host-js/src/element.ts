/** `<portcullis-verdict>`: see below. */
export {};

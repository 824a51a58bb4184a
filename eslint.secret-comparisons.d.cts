declare const options: { selector: string; message: string }[];
export = options;

import{a,b,c}from"./chunk-YZTR5PRF.js";import"./chunk-5NEKJMQ4.js";import"./chunk-D7OEE6YY.js";import"./chunk-SAZCUBKZ.js";export{a as EventList,c as FrontEvents,b as useEvents};
